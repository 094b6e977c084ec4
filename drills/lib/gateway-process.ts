import { type ChildProcess, fork } from 'node:child_process'
import { appendFileSync, closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { compileCache } from '../../scripts/lib/child.ts'

/** Starts the gateway of a source tree. Its output, and the reason why a start failed, are appended to a file. */
export function forkGateway(
  tree: string,
  logFile: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const log = openSync(logFile, 'a')
  const child = fork(path.join(tree, 'apps/server/src/main.ts'), {
    detached: true,
    execArgv: [],
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      CALLS_PER_MINUTE_ECOCASH: 'none',
      ...environment,
    },
  })
  closeSync(log)
  child.send({ type: 'web-ready' }, () => undefined)
  child.on('message', (message: { type: string; message?: string }) => {
    if (message.type === 'fatal') appendFileSync(logFile, `${message.message}\n`)
  })
  return child
}
