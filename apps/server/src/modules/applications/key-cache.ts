import { hash } from 'node:crypto'
import type { ApplicationId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { type Clock, plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Listener, listen } from '../../platform/db/listen.ts'
import type { KeyOwner } from './store-keys.ts'

/** The channel on which a process tells the others that an application's key or status changed. */
export const KEYS_CHANGED = 'application_keys_changed'

/** Told when the transaction commits. */
export async function tellKeysChanged(tx: Tx, ...applicationIds: ApplicationId[]): Promise<void> {
  await sql`select pg_notify(${KEYS_CHANGED}, id) from unnest(${applicationIds}::text[]) id`.execute(tx)
}

const MOST_KEPT = 10_000

/** The longest time for which a revoked key still reads, in a process to which no notification came. */
const LIFE_MS = 5000

interface Cached {
  readonly owner: KeyOwner
  readonly until: Date
}

/**
 * The owners of keys, so that most calls need no look-up. An entry ends with the notification of a change, and by itself after
 * `LIFE_MS`; there are none while the notification channel is not connected. A cached owner authorises reads only: the transaction of
 * a write confirms the key in the database (`confirmKey`), and the statement that creates payments does so itself.
 */
export class KeyCache {
  private readonly owners = new Map<string, Cached>()
  private clock: Clock | null = null
  private listener: Listener | null = null
  private changes = 0

  async connect(ctx: Ctx, databaseUrl: string): Promise<void> {
    this.clock = ctx.clock
    this.listener = await listen(
      databaseUrl,
      KEYS_CHANGED,
      { heard: (applicationId) => this.forget(applicationId), missed: () => this.clear() },
      ctx.log,
    )
  }

  async close(): Promise<void> {
    await this.listener?.close()
    this.listener = null
    this.clear()
  }

  /** Whose key this is, as remembered or else as `find` says. */
  async ownerOf(key: string, find: () => Promise<KeyOwner | null>): Promise<KeyOwner | null> {
    // Without the secret of a look-up: it stays in memory, and the keyed hash takes eight times as long, at every call.
    const name = hash('sha256', key, 'base64')
    const now = this.clock?.now()
    const known = now && this.listener?.live() ? this.owners.get(name) : undefined
    if (known && now && now < known.until) return known.owner
    const before = this.changes
    const owner = await find()
    // What was read while a change was told may be from before it, and nobody would tell of that change again.
    if (owner && now && this.listener?.live() && this.changes === before) {
      if (this.owners.size >= MOST_KEPT) this.owners.clear()
      this.owners.set(name, { owner, until: plusMs(now, LIFE_MS) })
    }
    return owner
  }

  private clear(): void {
    this.changes += 1
    this.owners.clear()
  }

  private forget(applicationId: string): void {
    this.changes += 1
    for (const [name, { owner }] of this.owners) {
      if (owner.applicationId === applicationId) this.owners.delete(name)
    }
  }
}
