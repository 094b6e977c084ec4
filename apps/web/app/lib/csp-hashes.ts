import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** The Content-Security-Policy sources of every inline script in a page. */
export const inlineScriptHashes = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(inlineScript)].map(
      ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
    ),
  ),
]

/**
 * A prerendered page cannot carry the nonce of a request, so the server allows its inline scripts by hash.
 * Writes `csp-hashes.json`: the page's file, relative to the client folder, to its sources.
 */
export async function writeCspHashes(clientFolder: string): Promise<void> {
  const hashes: Record<string, string[]> = {}
  for await (const file of glob('**/*.html', { cwd: clientFolder })) {
    hashes[file] = inlineScriptHashes(await readFile(join(clientFolder, file), 'utf8'))
  }
  await writeFile(join(clientFolder, 'csp-hashes.json'), `${JSON.stringify(hashes, null, 2)}\n`)
}
