import { sql } from 'kysely'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import { listen } from '../../platform/db/listen.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'
import type { ProviderConfig } from './catalogue.ts'
import { type Guard, type Providers, providersBuilder } from './registry.ts'
import { storedProviders } from './stored-accounts.ts'

/** The context of actions on accounts at providers. */
export type ProvidersCtx = Ctx & { readonly config: ProviderConfig }

/** Emits the notification when the transaction commits. */
export async function notifyProvidersChanged(tx: Tx): Promise<void> {
  await sql`select pg_notify(${channels.providersChanged}, '')`.execute(tx)
}

/** The pause before the accounts are read again; it doubles while they cannot be read. */
const LEAST_RETRY_MS = 1000
const MOST_RETRY_MS = 60_000

/** The providers as they are now, for a process that ends soon. */
export const readProviders = async (ctx: ProvidersCtx): Promise<Providers> =>
  providersBuilder(ctx.config, ctx.clock)(await storedProviders(ctx.db.kysely, ctx.keys))

/**
 * The providers of a long-running process: a change of an account takes effect when its notification arrives. A call in progress keeps its
 * connector, and with it the credentials.
 */
export async function connectProviders(
  ctx: ProvidersCtx,
  databaseUrl: string,
  guard: Guard,
): Promise<{ providers: Providers; close(): Promise<void> }> {
  const build = providersBuilder(ctx.config, ctx.clock, guard)
  let current = build(await storedProviders(ctx.db.kysely, ctx.keys))
  let reading = Promise.resolve()
  let retry: NodeJS.Timeout | undefined
  let isClosed = false
  let retryMs = LEAST_RETRY_MS
  /** The reason that was logged last: a wrong account is logged once, and not with each retry. */
  let reported: string | null = null

  function report(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (reason === reported) return
    reported = reason
    ctx.log.error(
      { err: error },
      'the accounts at providers could not be read: the earlier ones stay in use, and they are read again until they can be',
    )
  }

  /** Reads that overlap could end in the wrong order. */
  function reload(): void {
    if (isClosed) return
    clearTimeout(retry)
    reading = reading.then(async () => {
      try {
        current = build(await storedProviders(ctx.db.kysely, ctx.keys))
        retryMs = LEAST_RETRY_MS
        reported = null
      } catch (error) {
        report(error)
        if (!isClosed) retry = setTimeout(reload, retryMs)
        retryMs = Math.min(2 * retryMs, MOST_RETRY_MS)
      }
    })
  }

  const listener = await listen(
    databaseUrl,
    channels.providersChanged,
    { onMessage: reload, missed: reload },
    ctx.log,
  )
  return {
    providers: {
      get all() {
        return current.all
      },
      get routed() {
        return current.routed
      },
      has: (id) => current.has(id),
      byId: (id) => current.byId(id),
      minPollMs: (id) => current.minPollMs(id),
      captureWithinMs: (id) => current.captureWithinMs(id),
      returnedEcho: (id) => current.returnedEcho(id),
      references: (id) => current.references(id),
      canLookUpRefund: (id) => current.canLookUpRefund(id),
      offeredIn: (mode, merchantId) => current.offeredIn(mode, merchantId),
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await listener.close()
      await reading
    },
  }
}
