import type { Ctx } from '../../platform/ctx.ts'
import { type Listener, listen } from '../../platform/db/listen.ts'
import type { KeyOwner } from './store.ts'

/** The channel on which a process tells the others that an application's key or status changed. */
export const KEYS_CHANGED = 'application_keys_changed'

const MOST_KEPT = 10_000

/**
 * Remembers whose a key is, so that most calls need no look-up. It may be a moment behind a regeneration elsewhere, therefore what
 * writes checks the key again in its own statement. It is empty whenever the notification channel is not connected.
 */
export class KeyCache {
  private readonly owners = new Map<string, KeyOwner>()
  private listener: Listener | null = null

  async connect(ctx: Ctx, databaseUrl: string): Promise<void> {
    this.listener = await listen(
      databaseUrl,
      KEYS_CHANGED,
      { heard: (applicationId) => this.forget(applicationId), missed: () => this.owners.clear() },
      ctx.log,
    )
  }

  async close(): Promise<void> {
    await this.listener?.close()
    this.listener = null
    this.owners.clear()
  }

  get(lookup: Buffer): KeyOwner | null {
    return this.listener?.live() ? (this.owners.get(lookup.toString('base64')) ?? null) : null
  }

  set(lookup: Buffer, owner: KeyOwner): void {
    if (!this.listener?.live()) return
    if (this.owners.size >= MOST_KEPT) this.owners.clear()
    this.owners.set(lookup.toString('base64'), owner)
  }

  forget(applicationId: string): void {
    for (const [lookup, owner] of this.owners) {
      if (owner.applicationId === applicationId) this.owners.delete(lookup)
    }
  }
}
