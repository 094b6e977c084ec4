import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { compileCache } from '../../scripts/lib/child.ts'

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
