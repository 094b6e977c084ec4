import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { compileCache, outputOf } from '../../scripts/lib/child.ts'
import { repository } from '../../scripts/lib/repository.ts'

/** One way to back up and restore the database of a gateway. */
export interface BackupTool {
  readonly environment: Readonly<Record<string, string>>
  /** The directory of the gateway's data. */
  readonly dataDir: string
  /** The address for the owner; null when the gateway runs the database itself. */
  readonly databaseUrl: string | null
  backUp(): Promise<void>
  /** Ends the server, if the gateway does not run it, and removes its data. */
  destroy(): Promise<void>
  restore(to: Date): Promise<void>
  stop(): Promise<void>
}

/** The operator's commands on the embedded database. */
export async function embeddedBackupTool(directory: string): Promise<BackupTool> {
  const dataDir = path.join(directory, 'data')
  const environment = { BACKUP_DIR: path.join(directory, 'backups') }
  const admin = (...args: string[]) =>
    runProgram(process.execPath, [path.join(repository, 'apps/server/src/admin/main.ts'), ...args], {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: compileCache,
      MURIPO_DATA: dataDir,
      ...environment,
    })
  return {
    environment,
    dataDir,
    databaseUrl: null,
    backUp: () => admin('backup'),
    destroy: () => rm(dataDir, { recursive: true }),
    restore: (to) => admin('restore', '--to', to.toISOString()),
    async stop() {},
  }
}

/** Runs a program to its end. The error contains its output. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  account: { readonly uid?: number; readonly gid?: number } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'], ...account })
    const output = outputOf(child)
    child.once('error', reject)
    // A server that the program has started keeps its output open.
    child.once('exit', (code) => {
      child.stdout.destroy()
      child.stderr.destroy()
      if (code === 0) resolve()
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${output()}`))
    })
  })
}
