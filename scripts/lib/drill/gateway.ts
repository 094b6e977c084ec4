import { type ChildProcess, fork } from 'node:child_process'
import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopOrphanedServer } from '@muripo/embedded-postgres/embedded-postgres'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { addressOf, databaseName, superuser } from '@muripo/embedded-postgres/roles'
import { compileCache } from '../child.ts'
import { repository } from '../repository.ts'

export type Victim = 'gateway' | 'postgres' | 'both'

/** The real gateway with its own PostgreSQL, on a directory and a port that outlive it, started again whenever it ends. */
export interface Watched {
  readonly url: string
  readonly logFile: string
  /** Number of exits before the gateway was ready, apart from kills. */
  readonly failedStarts: number
  databaseUrl(): string
  /** Resolves when /readyz answers 200, and not by what was killed last. */
  ready(): Promise<void>
  /** Ends processes with SIGKILL; false when they do not run at the moment. */
  kill(victim: Victim): boolean
  /** Ends the gateway and its own database with SIGKILL, and does not start them again. */
  destroy(): Promise<void>
  /** In order, as far as it still runs; nothing is left of it. */
  stop(): Promise<void>
}

const main = path.join(repository, 'apps/server/src/main.ts')
const readyTimeoutMs = 120_000
const restartPauseMs = 50
const stopTimeoutMs = 30_000

export function startWatched(
  directory: string,
  port: number,
  environment: Readonly<Record<string, string>>,
  logFile = path.join(directory, 'gateway.log'),
): Watched {
  const url = `http://127.0.0.1:${port}`
  const pidFile = path.join(directory, 'postgres/postmaster.pid')
  let stopping = false
  let failedStarts = 0
  let starts = 0
  let isAnother = () => true
  let child = start()

  function start(): ChildProcess {
    starts += 1
    const log = openSync(logFile, 'a')
    const started = fork(main, {
      detached: true,
      execArgv: [],
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: compileCache,
        PORT: String(port),
        PUBLIC_URL: url,
        MURIPO_DATA: directory,
        LOG_LEVEL: 'error',
        CALLS_PER_MINUTE_ECOCASH: 'none',
        ...environment,
      },
    })
    closeSync(log)
    started.send({ type: 'web-ready' }, () => undefined)
    started.on('message', (message: { type: string; message?: string }) => {
      if (message.type !== 'fatal') return
      failedStarts += 1
      appendFileSync(logFile, `${message.message}\n`)
    })
    started.on('exit', () => {
      setTimeout(() => {
        if (!stopping) child = start()
      }, restartPauseMs)
    })
    return started
  }

  const isRunning = () => child.exitCode === null && child.signalCode === null

  /** The first line of its lock file, which remains after a kill. */
  function postmasterPid(): number | null {
    try {
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
      process.kill(pid, 0)
      return pid
    } catch {
      return null
    }
  }

  async function ready(): Promise<void> {
    const giveUpAt = performance.now() + readyTimeoutMs
    while (!isAnother() || !(await isReady(url))) {
      if (performance.now() > giveUpAt) throw new Error(`The gateway did not become ready: see ${logFile}`)
      await sleep(20)
    }
  }

  return {
    url,
    logFile,
    get failedStarts() {
      return failedStarts
    },
    databaseUrl() {
      const running = findPostmaster(path.join(directory, 'postgres'))
      if (!running) throw new Error('The database does not run')
      return addressOf(directory, superuser, running, databaseName)
    },
    ready,
    kill(victim) {
      const postmaster = victim === 'gateway' ? null : postmasterPid()
      if (victim !== 'gateway' && postmaster === null) return false
      if (victim !== 'postgres' && !isRunning()) return false
      const startsBefore = starts
      // A gateway that is still starting restarts a killed postmaster.
      isAnother = () =>
        victim === 'postgres' ? ![null, postmaster].includes(postmasterPid()) : starts > startsBefore
      if (victim !== 'postgres') child.kill('SIGKILL')
      if (postmaster !== null) process.kill(postmaster, 'SIGKILL')
      return true
    },
    async destroy() {
      stopping = true
      const postmaster = postmasterPid()
      const ended = isRunning() ? new Promise((resolve) => child.once('exit', resolve)) : null
      child.kill('SIGKILL')
      if (postmaster !== null) process.kill(postmaster, 'SIGKILL')
      await ended
      while (postmasterPid() !== null) await sleep(20)
    },
    async stop() {
      stopping = true
      if (isRunning()) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGTERM')
        const deadline = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
        await ended
        clearTimeout(deadline)
      }
      // Whose gateway was killed and not started again.
      await stopOrphanedServer(directory)
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  await answer?.body?.cancel().catch(() => undefined)
  return answer?.ok ?? false
}
