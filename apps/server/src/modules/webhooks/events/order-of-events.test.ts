import { setTimeout as sleep } from 'node:timers/promises'
import { type EventId, PaymentId } from '@muripo/contract/ids'
import { expect } from 'vitest'
import { test } from '../../../../test/fixtures.ts'
import { skipOnCitus } from '../../../../test/on-citus.ts'
import type { WorldCtx } from '../../../../test/world.ts'
import { continuePositions } from '../../../platform/db/positions.ts'
import { makeEvent } from '../factory.ts'
import { type EventOwner, newestEventPosition, pageOfEvents, recordEvent } from './store-events.ts'

const LIMIT = 5

/** One event more than the limit when there are more. */
const pageOf = async (ctx: WorldCtx, owner: EventOwner, cursor?: EventId) =>
  (await pageOfEvents(ctx.reads.kysely, owner, { limit: LIMIT, cursor })).map(({ id }) => id)

/** Writes an event some time after its transaction has begun, and some time before the transaction ends. */
const slowly = (ctx: WorldCtx, { accountId, applicationId }: EventOwner) =>
  ctx.db.tx(async (tx) => {
    const subject = ctx.ids.next(PaymentId)
    const event = { type: 'payment.completed', applicationId, subject, sequence: 1, data: {} } as const
    const pause = () => sleep(Math.random() * 20)
    if (Math.random() < 0.5) await pause()
    const id = await recordEvent(ctx, tx, accountId, event)
    await pause()
    return id
  })

test('a reader that stops at the first known event misses none of concurrent transactions', async ({
  world: { ctx },
  shop,
}) => {
  const known = new Set<EventId>()
  async function readNew(): Promise<void> {
    const found: EventId[] = []
    for (let end = -1, isLast = false; end === -1 && !isLast; ) {
      const page = await pageOf(ctx, shop, found.at(-1))
      end = page.findIndex((id) => known.has(id))
      isLast = page.length <= LIMIT
      found.push(...(end === -1 ? page.slice(0, LIMIT) : page.slice(0, Math.min(end, LIMIT))))
    }
    for (const id of found) known.add(id)
  }
  const written = new Set<EventId>()
  const writers = Array.from({ length: 8 }, async () => {
    for (let nth = 0; nth < 20; nth += 1) written.add(await slowly(ctx, shop))
  })
  let isOver = false
  const reader = (async () => {
    while (!isOver) await readNew()
  })()
  await Promise.all(writers)
  isOver = true
  await reader
  await expect
    .poll(async () => {
      await readNew()
      return known
    })
    .toEqual(written)
})

test(
  'events of a restored dump of another server sort before later ones',
  skipOnCitus('a dump is restored into a database of one node'),
  async ({ world: { ctx }, shop }) => {
    const old = await makeEvent(ctx, shop)
    const far = 10n ** 12n
    await ctx.db.pool.query('alter table events disable trigger user')
    await ctx.db.pool.query('update events set position = $1', [far])
    await ctx.db.pool.query('alter table events enable trigger user')
    expect(await pageOf(ctx, shop)).toEqual([])
    for (let start = 0; start < 2; start += 1)
      await continuePositions(ctx.db.kysely, [await newestEventPosition(ctx.db.kysely)])
    const next = await makeEvent(ctx, shop)
    await expect.poll(() => pageOf(ctx, shop)).toEqual([next, old])
    expect(await pageOf(ctx, shop, next)).toEqual([old])
  },
)
