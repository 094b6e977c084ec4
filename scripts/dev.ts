import { watch } from 'node:fs'
import path from 'node:path'
import { repository } from './lib/repository.ts'
import { Supervisor } from './lib/supervisor.ts'

/** Files come in bursts: a save, a checkout of another branch. */
const quietMs = 150

const supervisor = new Supervisor({ ...process.env, NODE_ENV: process.env.NODE_ENV ?? 'development' })
await supervisor.start()

let work = Promise.resolve()

function onChange(folders: readonly string[], react: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined
  for (const folder of folders) {
    watch(path.join(repository, folder), { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        work = work.then(react)
      }, quietMs)
    })
  }
}

// Restarts run one after the other. The gateway reads the built web app only when it starts, so a change of the web app restarts it.
onChange(['apps/server/src', 'apps/server/migrations', 'apps/web/app', 'packages/contract/src'], () =>
  supervisor.restartGateway(),
)
onChange(['apps/simulator/src', 'packages/contract/src'], () => supervisor.restartSimulator())
