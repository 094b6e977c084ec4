import { fork } from 'node:child_process'
import { appendFileSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileCache, type Ending } from '../child.ts'
import { freePort } from '../free-port.ts'

export type Role = 'api' | 'worker' | 'all'

/** One process of the gateway among several on one database. */
export interface Member {
  readonly name: string
  readonly role: Role
  readonly url: string
  readonly ended: Promise<Ending>
  isRunning(): boolean
  /** Resolves when /readyz answers 200. */
  ready(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** In order; the end of the process, forced when it takes too long. */
  stop(): Promise<Ending>
  metrics(): Promise<string>
  /** Its log, one object for each line. */
  logged(): LogLine[]
}

export interface LogLine {
  readonly level: number
  readonly msg: string
}

const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 60_000
const ERROR_LEVEL = 50

/** @param tree the source tree of its version */
export async function launch(
  { name, role, tree }: { readonly name: string; readonly role: Role; readonly tree: string },
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<Member> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const logFile = path.join(directory, `${name}.log`)
  const log = openSync(logFile, 'a')
  const child = fork(path.join(tree, 'apps/server/src/main.ts'), {
    detached: true,
    execArgv: [],
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      LOG_LEVEL: 'info',
      ROLE: role,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      MURIPO_DATA: directory,
      CALLS_PER_MINUTE_ECOCASH: 'none',
      ...environment,
    },
  })
  closeSync(log)
  child.send({ type: 'web-ready' }, () => undefined)
  child.on('message', (message: { type: string; message?: string }) => {
    if (message.type === 'fatal') appendFileSync(logFile, `${message.message}\n`)
  })
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    name,
    role,
    url,
    ended,
    isRunning,
    async ready() {
      const giveUpAt = performance.now() + READY_TIMEOUT_MS
      while (!(await isReady(url))) {
        if (!isRunning() || performance.now() > giveUpAt)
          throw new Error(`${name} did not become ready: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
        await sleep(50)
      }
    },
    signal(signal) {
      child.kill(signal)
    },
    async stop() {
      child.kill('SIGTERM')
      const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      const ending = await ended
      clearTimeout(deadline)
      return ending
    },
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    logged: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '').split('\n').flatMap(readLine),
  }
}

export const isError = ({ level }: LogLine): boolean => level >= ERROR_LEVEL

function readLine(line: string): LogLine[] {
  try {
    return [JSON.parse(line) as LogLine]
  } catch {
    return []
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  await answer?.body?.cancel().catch(() => undefined)
  return answer?.ok ?? false
}
