import type { BackgroundTasks } from '../../platform/async/background-tasks.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { PerDatabase } from '../../platform/db/databases.ts'
import type { KeyOwner } from './store-keys.ts'
import { recordUse } from './store-named-keys.ts'

const MINUTE_MS = 60_000
const ENTRIES_MAX = 10_000

type UsesCtx = Pick<Ctx, 'clock' | 'background'> & { readonly backgroundTasks: BackgroundTasks }

/**
 * Records the last use of each named key, to the minute. The statement runs beside the call, and once a minute for each key in a process.
 */
export function createKeyUses(ctxs: PerDatabase<UsesCtx>): (owner: KeyOwner, address: string) => void {
  const written = new Map<string, number>()
  return (owner, address) => {
    const { clock, background, backgroundTasks } = ctxs.of(owner.accountId)
    const minute = Math.floor(clock.now().getTime() / MINUTE_MS)
    if (written.get(owner.keyId) === minute) return
    if (written.size >= ENTRIES_MAX) written.clear()
    written.set(owner.keyId, minute)
    const at = new Date(minute * MINUTE_MS)
    backgroundTasks.start('use of a key', recordUse(background.kysely, owner, { at, address }))
  }
}
