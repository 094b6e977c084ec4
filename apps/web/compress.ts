import { glob, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** A smaller file fits into one packet without compression. */
const WORTH_BYTES = 1024

/** Writes a `.br` and a `.gz` file beside every file that becomes smaller, so that the server does not compress static files. */
export async function precompress(clientFolder: string): Promise<void> {
  const files = await Array.fromAsync(
    glob('**/*.{html,js,css,svg,json,webmanifest,xml,txt,ico}', { cwd: clientFolder }),
  )
  // The threads of Node.js bound how many are compressed at once.
  await Promise.all(files.map((file) => compress(join(clientFolder, file))))
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < WORTH_BYTES) return
  const [small, common] = await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    zip(content, { level: constants.Z_BEST_COMPRESSION }),
  ])
  if (small.length < content.length) await writeWhole(`${path}.br`, small)
  if (common.length < content.length) await writeWhole(`${path}.gz`, common)
}

/** Writes the file atomically, because a gateway may serve the folder already. Files with this extension are never served. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const half = `${path}.half.gz`
  await writeFile(half, content)
  await rename(half, path)
}

if (import.meta.main) await precompress(fileURLToPath(new URL('build/client', import.meta.url)))
