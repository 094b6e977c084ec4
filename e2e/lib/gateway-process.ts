import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signalProcess } from '@muripo/embedded-postgres/signal-process'
import { clusterParent } from '@muripo/testing/cluster-parent'
import { compileCache } from '../../scripts/lib/child.ts'
import { freePort } from '../../scripts/lib/free-port.ts'
import { type Found, processesOf } from './processes.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const startTimeoutMs = 60_000
const endTimeoutMs = 35_000

export interface LaunchOptions {
  readonly dataDir: string
  readonly environment?: Readonly<Record<string, string>>
  readonly command?: readonly [string, ...string[]]
}

export interface GatewayProcess {
  readonly url: string
  readonly simulatorUrl: string
  readonly process: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly ended: Promise<number | null>
  /** Resolves when /readyz answers 200, with the milliseconds since the launch. */
  ready(): Promise<number>
  /** Ctrl-C in a terminal: the whole foreground process group receives the signal. */
  interrupt(): Promise<number | null>
}

export function temporaryDataDir(): string {
  return mkdtempSync(path.join(clusterParent(), 'muripo-e2e-'))
}

/** The real gateway, started by the documented command, with its own ports. */
export async function launch({ dataDir, environment = {}, command }: LaunchOptions): Promise<GatewayProcess> {
  const [port, simulatorPort] = [await freePort(), await freePort()]
  const [program, ...args] = command ?? ['node', 'scripts/start.ts']
  const startedAt = performance.now()
  const child = spawn(program, args, {
    cwd: repository,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${path.join(repository, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: compileCache,
      PORT: String(port),
      SIMULATOR_PORT: String(simulatorPort),
      SIMULATOR_SPEED: '10',
      MURIPO_DATA: dataDir,
      ...environment,
    },
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const url = `http://127.0.0.1:${environment.PORT ?? port}`
  return {
    url,
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    process: child,
    output,
    ended,
    async ready() {
      while (!(await isReady(url))) {
        if (child.exitCode !== null || performance.now() - startedAt > startTimeoutMs) {
          throw new Error(`The gateway did not become ready.\n${output.stdout}\n${output.stderr}`)
        }
        await sleep(25)
      }
      return performance.now() - startedAt
    },
    interrupt() {
      if (child.exitCode === null) signalProcess(-(child.pid ?? Number.NaN), 'SIGINT')
      return Promise.race([ended, sleep(endTimeoutMs, null, { ref: false })])
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.ok ?? false
}

/** Ends remaining processes of a data directory and removes it; returns these processes. */
export async function clear(dataDir: string): Promise<Found[]> {
  const left = processesOf(dataDir)
  for (const { pid } of left) signalProcess(pid, 'SIGKILL')
  while (processesOf(dataDir).length > 0) await sleep(20)
  rmSync(dataDir, { recursive: true, force: true })
  return left
}
