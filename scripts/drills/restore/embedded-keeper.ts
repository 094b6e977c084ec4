import { rm } from 'node:fs/promises'
import path from 'node:path'
import { compileCache } from '../../lib/child.ts'
import { repository } from '../../lib/repository.ts'
import type { Keeper } from './keeper.ts'
import { runProgram } from './program.ts'

/** The operator's commands on the embedded database. */
export async function embeddedKeeper(directory: string): Promise<Keeper> {
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
