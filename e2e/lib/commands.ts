import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { clusterParent } from '@muripo/testing/cluster-parent'
import { compileCache, runToEnd } from '../../scripts/lib/child.ts'
import { repository } from '../../scripts/lib/repository.ts'

/** A script of package.json with its arguments, as a person types it. */
export const runNpmScript = (script: string, ...args: readonly string[]) =>
  runToEnd('npm', ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])], {
    cwd: repository,
    // The commands have their databases in the temporary directory.
    env: { ...process.env, TMPDIR: clusterParent() },
  })

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
