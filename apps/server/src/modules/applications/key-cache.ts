import { hash } from 'node:crypto'
import type { ApplicationId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { type Clock, plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type Listener, listen } from '../../platform/db/listen.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'
import type { KeyOwner } from './store-keys.ts'

/** Emits the notification when the transaction commits. */
export async function notifyKeysChanged(tx: Tx, ...applicationIds: ApplicationId[]): Promise<void> {
  await sql`select pg_notify(${channels.applicationKeysChanged}, id) from unnest(${applicationIds}::text[]) id`.execute(
    tx,
  )
}

const ENTRIES_MAX = 10_000

/** The longest time for which a revoked key can read, in a process that received no notification. */
const LIFE_MS = 5000

/** A plain digest, because it stays in memory and a keyed hash takes longer at every call. */
const nameOf = (key: string): string => hash('sha256', key, 'base64')

interface Cached {
  readonly owner: KeyOwner
  readonly until: Date
}

/**
 * The cached owners of keys, so that most calls need no look-up. An entry ends with the notification of a change, or after `LIFE_MS`;
 * there are none while the notification channel is not connected. A cached owner authorises reads only: the transaction of
 * a write confirms the key in the database (`confirmKey`), and the statement that creates payments does so itself.
 */
export class KeyCache {
  private readonly owners = new Map<string, Cached>()
  private clock: Clock | null = null
  private listeners: readonly Listener[] = []
  private changeCount = 0

  /** @param databaseUrls of each node on which keys change */
  async connect(ctx: Ctx, ...databaseUrls: readonly string[]): Promise<void> {
    this.clock = ctx.clock
    const handlers = {
      onMessage: (applicationId: string) => this.evict(applicationId),
      missed: () => this.clear(),
    }
    this.listeners = await Promise.all(
      databaseUrls.map((url) => listen(url, channels.applicationKeysChanged, handlers, ctx.log)),
    )
  }

  async close(): Promise<void> {
    await Promise.all(this.listeners.map((listener) => listener.close()))
    this.listeners = []
    this.clear()
  }

  /** The owner of a key, from the cache or from `find`. */
  async ownerOf(key: string, find: () => Promise<KeyOwner | null>): Promise<KeyOwner | null> {
    const name = nameOf(key)
    const now = this.clock?.now()
    const cached = now && this.isConnected() ? this.owners.get(name) : undefined
    if (cached && now && now < cached.until) return cached.owner
    const before = this.changeCount
    const owner = await find()
    // A row that was read during a notification may be older than the change, and no further notification would follow.
    if (owner && now && this.isConnected() && this.changeCount === before) {
      if (this.owners.size >= ENTRIES_MAX) this.owners.clear()
      this.owners.set(name, { owner, until: plusMs(now, LIFE_MS) })
    }
    return owner
  }

  /** The next call looks this key up. */
  forget(key: string): void {
    this.owners.delete(nameOf(key))
  }

  private isConnected(): boolean {
    return this.listeners.length > 0 && this.listeners.every((listener) => listener.live())
  }

  private clear(): void {
    this.changeCount += 1
    this.owners.clear()
  }

  private evict(applicationId: string): void {
    this.changeCount += 1
    for (const [name, { owner }] of this.owners) {
      if (owner.applicationId === applicationId) this.owners.delete(name)
    }
  }
}

const DIGESTS_MAX = 10_000

/** Digests of keys that were recently used, each for `lifeMs` after its last use. */
export function recentDigests(clock: Clock, lifeMs: number) {
  const ends = new Map<string, Date>()
  return {
    has(digest: string): boolean {
      const end = ends.get(digest)
      return end !== undefined && clock.now() < end
    },
    add(digest: string): void {
      ends.delete(digest)
      const [oldest] = ends.keys()
      if (ends.size >= DIGESTS_MAX && oldest !== undefined) ends.delete(oldest)
      ends.set(digest, plusMs(clock.now(), lifeMs))
    },
  }
}
