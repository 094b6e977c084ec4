import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { addressOf, databaseName, superuser } from '@muripo/embedded-postgres/roles'
import { signalProcess } from '@muripo/embedded-postgres/signal-process'
import { compileCache, isReady, isRunning, youngGenerationArgs } from '../../../scripts/lib/child.ts'
import { repository } from '../../../scripts/lib/repository.ts'
import { freePort } from './listen.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface LaunchOptions {
  readonly dataDir: string
  readonly environment?: Environment
  /** The documented command without it. */
  readonly command?: readonly [program: string, ...args: string[]]
  /** A source tree, whose server is started alone: without a web build and a simulator. It ends with this process. */
  readonly tree?: string
  /** The file to which the output is appended, or `inherit`; otherwise the output is kept. */
  readonly log?: string
  readonly name?: string
}

export interface LogLine {
  readonly level: number
  readonly msg: string
}

/** The longest start creates the sample data. */
const READY_TIMEOUT_MS = 300_000
const READY_POLL_MS = 10
const STOP_TIMEOUT_MS = 60_000
const INTERRUPT_TIMEOUT_MS = 35_000

/** Starts a gateway on ports of its own, unless the environment has others. */
export async function launch({ environment, ...options }: LaunchOptions): Promise<GatewayProcess> {
  const [port, simulatorPort] = [await freePort(), await freePort()]
  const ports = { PORT: String(port), SIMULATOR_PORT: String(simulatorPort) }
  return new GatewayProcess({ ...options, environment: { ...ports, ...environment } })
}

/** The real gateway as a process, which tests and measurements reach over HTTP only. */
export class GatewayProcess {
  readonly name: string
  readonly role: string
  readonly url: string
  readonly simulatorUrl: string
  readonly dataDir: string
  readonly process: ChildProcess
  readonly output = { stdout: '', stderr: '' }
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>
  private readonly log: string | undefined
  private readonly metricsUrl: string
  private readonly startedAt = performance.now()

  /** @param options with a PORT in the environment */
  constructor(options: LaunchOptions) {
    const { dataDir, environment = {}, log, name = 'gateway' } = options
    this.name = name
    this.role = environment.ROLE ?? 'all'
    this.url = `http://127.0.0.1:${environment.PORT}`
    this.simulatorUrl = `http://127.0.0.1:${environment.SIMULATOR_PORT}`
    this.metricsUrl = `http://127.0.0.1:${environment.METRICS_PORT}/metrics`
    this.dataDir = dataDir
    this.log = log === 'inherit' ? undefined : log
    this.process = spawnGateway(options)
    this.ended = new Promise((resolve) => {
      this.process.once('error', () => resolve(1))
      this.process.once('close', (code, signal) => resolve(code ?? signal ?? 1))
    })
    for (const stream of ['stdout', 'stderr'] as const)
      this.process[stream]?.setEncoding('utf8').on('data', (text: string) => {
        this.output[stream] += text
      })
    this.process.on('message', ({ type, message }: { type: string; message?: string }) => {
      if (type !== 'fatal') return
      if (this.log === undefined) this.output.stderr += `${message}\n`
      else appendFileSync(this.log, `${message}\n`)
    })
  }

  isRunning(): boolean {
    return isRunning(this.process)
  }

  /** Resolves when /readyz answers 200, with the milliseconds since the launch. */
  async ready(): Promise<number> {
    while (!(await isReady(this.url))) {
      if (!this.isRunning() || performance.now() - this.startedAt > READY_TIMEOUT_MS)
        throw new Error(`${this.name} did not become ready:\n${await this.lastOutput()}`)
      await sleep(READY_POLL_MS)
    }
    return performance.now() - this.startedAt
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal)
  }

  /** Requests an orderly stop; resolves after the exit, which is forced after a time limit. */
  async stop(): Promise<number | NodeJS.Signals> {
    this.signal('SIGTERM')
    const deadline = setTimeout(() => this.signal('SIGKILL'), STOP_TIMEOUT_MS)
    const ending = await this.ended
    clearTimeout(deadline)
    return ending
  }

  /** Ctrl-C in a terminal: the whole foreground process group receives the signal. Null when the process does not end. */
  interrupt(): Promise<number | NodeJS.Signals | null> {
    if (this.isRunning()) signalProcess(-(this.process.pid ?? Number.NaN), 'SIGINT')
    return Promise.race([this.ended, sleep(INTERRUPT_TIMEOUT_MS, null, { ref: false })])
  }

  /** The address of its own database, for the owner. */
  databaseUrl(): string {
    const running = findPostmaster(path.join(this.dataDir, 'postgres'))
    if (!running) throw new Error('The database does not run')
    return addressOf(this.dataDir, superuser, running, databaseName)
  }

  async metrics(): Promise<string> {
    return (await fetch(this.metricsUrl)).text()
  }

  /** The lines of its log file. */
  logged(): LogLine[] {
    return this.log === undefined ? [] : readFileSync(this.log, 'utf8').split('\n').flatMap(readLine)
  }

  private async lastOutput(): Promise<string> {
    // The outputs of a process that has exited may still be read.
    if (!this.isRunning()) await this.ended
    if (this.log !== undefined) return readFileSync(this.log, 'utf8').slice(-2000)
    return `${this.output.stdout}\n${this.output.stderr}`
  }
}

function spawnGateway({ dataDir, environment, command, tree, log }: LaunchOptions): ChildProcess {
  const alone = tree && [...youngGenerationArgs(), path.join(tree, 'apps/server/src/main.ts')]
  const [program, ...args] = alone
    ? [process.execPath, ...alone]
    : (command ?? [process.execPath, 'scripts/start.ts'])
  const output = log === undefined ? 'pipe' : log === 'inherit' ? log : openSync(log, 'a')
  const child = spawn(program, args, {
    cwd: repository,
    detached: true,
    stdio: ['ignore', output, output, ...(alone ? (['ipc'] as const) : [])],
    env: {
      PATH: `${path.join(repository, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: compileCache,
      SIMULATOR_SPEED: '10',
      MURIPO_DATA: dataDir,
      ...(alone && { CALLS_PER_MINUTE_ECOCASH: 'none' }),
      ...environment,
    },
  })
  if (typeof output === 'number') closeSync(output)
  if (alone) child.send({ type: 'web-ready' }, () => undefined)
  return child
}

function readLine(line: string): LogLine[] {
  try {
    return [JSON.parse(line) as LogLine]
  } catch {
    return []
  }
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * Runs a start script on a data directory of its own during the work. The process and the directory are removed
 * afterwards, also after a failure or an interruption.
 */
export async function withGateway<Result>(
  script: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-'))
  const gateway = await launch({ dataDir, command: [process.execPath, script] })
  const stop = async () => {
    await gateway.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const handlers = Object.entries(exitCodes).map(([signal, code]) => {
    const handler = () => void stop().then(() => process.exit(code))
    process.once(signal, handler)
    return [signal, handler] as const
  })
  try {
    await gateway.ready()
    return await work(gateway.url)
  } finally {
    await stop()
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}
