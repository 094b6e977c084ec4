import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopOrphanedServer } from '@muripo/embedded-postgres/embedded-postgres'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { addressOf, databaseName, superuser } from '@muripo/embedded-postgres/roles'
import { signalProcess } from '@muripo/embedded-postgres/signal-process'
import { endOf, isReady, isRunning, stopProcess } from '../../scripts/lib/child.ts'
import { repository } from '../../scripts/lib/repository.ts'
import { forkGateway } from './gateway-process.ts'

export type Victim = 'gateway' | 'postgres' | 'both'

const READY_TIMEOUT_MS = 120_000
const RESTART_PAUSE_MS = 50
const STOP_TIMEOUT_MS = 30_000

/** The real gateway with its own PostgreSQL on a fixed directory and port. It is started again whenever it exits. */
export class RestartingGateway {
  readonly url: string
  /** Number of exits before the gateway was ready, apart from kills. */
  failedStarts = 0
  private readonly directory: string
  private readonly logFile: string
  private readonly environment: Readonly<Record<string, string>>
  private child: ChildProcess
  private starts = 0
  private isStopping = false
  /** Whether the processes that were killed last have been replaced. */
  private isReplaced = () => true

  constructor(
    directory: string,
    port: number,
    environment: Readonly<Record<string, string>>,
    logFile = path.join(directory, 'gateway.log'),
  ) {
    this.url = `http://127.0.0.1:${port}`
    this.directory = directory
    this.logFile = logFile
    this.environment = {
      PORT: String(port),
      PUBLIC_URL: this.url,
      MURIPO_DATA: directory,
      LOG_LEVEL: 'error',
      ...environment,
    }
    this.child = this.start()
  }

  databaseUrl(): string {
    const running = findPostmaster(path.join(this.directory, 'postgres'))
    if (!running) throw new Error('The database does not run')
    return addressOf(this.directory, superuser, running, databaseName)
  }

  /** Resolves when the processes that were killed last have been replaced and /readyz answers 200. */
  async ready(): Promise<void> {
    const giveUpAt = performance.now() + READY_TIMEOUT_MS
    while (!this.isReplaced() || !(await isReady(this.url))) {
      if (performance.now() > giveUpAt)
        throw new Error(`The gateway did not become ready: see ${this.logFile}`)
      await sleep(20)
    }
  }

  /** Ends processes with SIGKILL; false when they do not run at the moment. */
  kill(victim: Victim): boolean {
    const postmaster = victim === 'gateway' ? null : this.postmasterPid()
    if (victim !== 'gateway' && postmaster === null) return false
    if (victim !== 'postgres' && !isRunning(this.child)) return false
    const startsBefore = this.starts
    // A gateway that is still starting restarts a killed postmaster.
    this.isReplaced = () =>
      victim === 'postgres' ? ![null, postmaster].includes(this.postmasterPid()) : this.starts > startsBefore
    // A victim may have ended since it was found. The guard shuts down the database of a gateway that is killed first.
    if (victim !== 'postgres' && !this.child.kill('SIGKILL')) return false
    return postmaster === null || signalProcess(postmaster, 'SIGKILL') || victim === 'both'
  }

  /** Ends the gateway and its own database with SIGKILL, and does not start them again. */
  async destroy(): Promise<void> {
    this.isStopping = true
    const postmaster = this.postmasterPid()
    const ended = isRunning(this.child) ? endOf(this.child) : null
    this.child.kill('SIGKILL')
    if (postmaster !== null) signalProcess(postmaster, 'SIGKILL')
    await ended
    while (this.postmasterPid() !== null) await sleep(20)
  }

  /** Stops the gateway in order if it runs, and a database that a killed gateway has left running. */
  async stop(): Promise<void> {
    this.isStopping = true
    if (isRunning(this.child)) await stopProcess(this.child, endOf(this.child), STOP_TIMEOUT_MS)
    await stopOrphanedServer(this.directory)
  }

  private start(): ChildProcess {
    this.starts += 1
    const child = forkGateway(repository, this.logFile, this.environment)
    child.on('message', ({ type }: { type: string }) => {
      if (type === 'fatal') this.failedStarts += 1
    })
    child.on('exit', () => {
      setTimeout(() => {
        if (!this.isStopping) this.child = this.start()
      }, RESTART_PAUSE_MS)
    })
    return child
  }

  private postmasterPid(): number | null {
    return findPostmaster(path.join(this.directory, 'postgres'))?.pid ?? null
  }
}
