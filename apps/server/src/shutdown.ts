import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import type { Gateway } from './gateway.ts'
import type { Log } from './platform/log.ts'

const STOP_DEADLINE_MS = 25_000

/** Ends the process: the gateway first, then its database. */
export class Shutdown {
  /** Null before the gateway is assembled. */
  gateway: Gateway | null = null
  /** Null without an embedded database. A stop during its start waits for it. */
  embedded: Promise<EmbeddedPostgres> | null = null
  /** The stop in progress. */
  stopping: Promise<void> | null = null
  private isDraining = false
  private readonly log: Log
  private readonly drainMs: number

  constructor(log: Log, drainMs: number) {
    this.log = log
    this.drainMs = drainMs
  }

  onSignals(): void {
    process.on('SIGTERM', () => void this.drainAndStop())
    process.on('SIGINT', () => void this.drainAndStop())
    // The channel closes when the supervisor dies.
    process.on('disconnect', () => void this.stop(0))
    if (process.send && !process.connected) void this.stop(0)
  }

  stop(exitCode: number): Promise<void> {
    this.stopping ??= this.stopParts(exitCode).catch((error: unknown) => {
      this.log.error({ err: error }, 'the stop failed')
      process.exit(1)
    })
    return this.stopping
  }

  async stopDatabase(): Promise<void> {
    const embedded = await this.embedded?.catch(() => null)
    await embedded?.stop()
  }

  private async stopParts(exitCode: number): Promise<void> {
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref()
    await this.gateway?.stop()
    await this.stopDatabase()
    process.exit(exitCode)
  }

  /** A second signal ends the drain. */
  private async drainAndStop(): Promise<void> {
    if (!this.isDraining && this.gateway?.app.server.listening) {
      this.isDraining = true
      this.gateway.drain()
      await sleep(this.drainMs)
    }
    await this.stop(0)
  }
}
