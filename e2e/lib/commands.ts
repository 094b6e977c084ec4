import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { clusterParent } from '@muripo/testing/cluster-parent'
import { compileCache } from '../../scripts/lib/child.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** A script of package.json with its arguments, as a person types it. */
export function runNpmScript(script: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])], {
      cwd: repository,
      // The commands have their databases in the temporary directory.
      env: { ...process.env, TMPDIR: clusterParent() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** The output of a command, run like a reader of the page would run it. */
export async function runShell(
  command: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...environment },
  })
  return stdout
}
