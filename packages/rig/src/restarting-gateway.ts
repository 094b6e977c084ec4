import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopOrphanedServer } from '@muripo/embedded-postgres/embedded-postgres'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { signalProcess } from '@muripo/embedded-postgres/signal-process'
import { isReady } from '../../../scripts/lib/child.ts'
import { GatewayProcess, type LaunchOptions } from './gateway.ts'

export type Victim = 'gateway' | 'postgres' | 'both'

const READY_TIMEOUT_MS = 120_000
const RESTART_PAUSE_MS = 50

/** A gateway with its own PostgreSQL on a fixed directory and port, which is started again whenever it exits. */
export class RestartingGateway {
  readonly url: string
  /** Number of exits before the gateway was ready, apart from kills. */
  failedStarts = 0
  private readonly options: LaunchOptions
  private current: GatewayProcess
  private starts = 0
  private isStopping = false
  /** Whether the processes that were killed last have been replaced. */
  private isReplaced = () => true

  /** @param options with a PORT in the environment */
  constructor(options: LaunchOptions) {
    this.options = options
    this.current = this.start()
    this.url = this.current.url
  }

  databaseUrl(): string {
    return this.current.databaseUrl()
  }

  /** Resolves when the processes that were killed last have been replaced and /readyz answers 200. */
  async ready(): Promise<void> {
    const giveUpAt = performance.now() + READY_TIMEOUT_MS
    while (!this.isReplaced() || !(await isReady(this.url))) {
      if (performance.now() > giveUpAt)
        throw new Error(`The gateway did not become ready: see ${this.options.log}`)
      await sleep(20)
    }
  }

  /** Ends processes with SIGKILL; false when they do not run at the moment. */
  kill(victim: Victim): boolean {
    const postmaster = victim === 'gateway' ? null : this.postmasterPid()
    if (victim !== 'gateway' && postmaster === null) return false
    if (victim !== 'postgres' && !this.current.isRunning()) return false
    const startsBefore = this.starts
    // A gateway that is still starting restarts a killed postmaster.
    this.isReplaced = () =>
      victim === 'postgres' ? ![null, postmaster].includes(this.postmasterPid()) : this.starts > startsBefore
    // A victim may have ended since it was found. The guard shuts down the database of a gateway that is killed first.
    if (victim !== 'postgres' && !this.current.process.kill('SIGKILL')) return false
    return postmaster === null || signalProcess(postmaster, 'SIGKILL') || victim === 'both'
  }

  /** Ends the gateway and its own database with SIGKILL, and does not start them again. */
  async destroy(): Promise<void> {
    this.isStopping = true
    const postmaster = this.postmasterPid()
    this.current.signal('SIGKILL')
    if (postmaster !== null) signalProcess(postmaster, 'SIGKILL')
    await this.current.ended
    while (this.postmasterPid() !== null) await sleep(20)
  }

  /** Stops the gateway in order if it runs, and a database that a killed gateway has left running. */
  async stop(): Promise<void> {
    this.isStopping = true
    if (this.current.isRunning()) await this.current.stop()
    await stopOrphanedServer(this.options.dataDir)
  }

  private start(): GatewayProcess {
    this.starts += 1
    const started = new GatewayProcess(this.options)
    started.process.on('message', ({ type }: { type: string }) => {
      if (type === 'fatal') this.failedStarts += 1
    })
    void started.ended.then(async () => {
      await sleep(RESTART_PAUSE_MS)
      if (!this.isStopping) this.current = this.start()
    })
    return started
  }

  private postmasterPid(): number | null {
    return findPostmaster(path.join(this.options.dataDir, 'postgres'))?.pid ?? null
  }
}
