import type { Today } from '@muripo/contract/console'
import { add, type Currency, money, toMajor } from '@muripo/contract/money'
import type { Status } from '@muripo/contract/site'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import type { PerDatabase } from '../../../platform/db/databases.ts'
import { merchantsForOperator } from '../../applications/index.ts'
import {
  attemptsInReview,
  openAnomalies,
  type Volume,
  volumeOfDay,
  waitingRefunds,
} from '../../payments/index.ts'
import type { Operator } from '../people/store-operators.ts'
import { countOpen } from '../proposals/store-proposals.ts'

/** More work of a kind is counted as this. */
export const MOST_COUNTED = 100

const waiting = (
  kind: Today['waiting'][number]['kind'],
  items: readonly { readonly since: Date }[],
): Today['waiting'][number] => ({
  kind,
  count: Math.min(items.length, MOST_COUNTED),
  oldestAt: items[0]?.since.toISOString() ?? null,
})

/** The work that waits for a person, the parts that are unwell, and the volume of the day. */
export const readToday = async (
  ctx: Ctx,
  ctxs: PerDatabase<Ctx>,
  operator: Operator,
  readStatus: () => Promise<Status>,
): Promise<Today> => ({
  waiting: await readWaiting(ctx, operator),
  unwell: unwellIn(await readStatus()),
  volume: await volumeToday(ctx, ctxs),
})

/** The work that waits for a person; of proposals those of others. */
export async function readWaiting(ctx: Ctx, { id }: Operator): Promise<Today['waiting']> {
  const merchants = await merchantsForOperator(ctx, 'waiting', MOST_COUNTED)
  const attempts = await attemptsInReview(ctx, MOST_COUNTED)
  const anomalies = await openAnomalies(ctx, MOST_COUNTED)
  const refunds = await waitingRefunds(ctx, MOST_COUNTED)
  const proposals = await countOpen(ctx.db.kysely, id)
  return [
    waiting(
      'merchants',
      merchants.map(({ createdAt }) => ({ since: createdAt })),
    ),
    waiting(
      'attempts',
      attempts.map(({ createdAt }) => ({ since: createdAt })),
    ),
    waiting(
      'anomalies',
      anomalies.map(({ openedAt }) => ({ since: openedAt })),
    ),
    waiting(
      'refunds',
      refunds.map(({ createdAt }) => ({ since: createdAt })),
    ),
    { kind: 'proposals', count: proposals.count, oldestAt: proposals.oldestAt?.toISOString() ?? null },
  ]
}

export const unwellIn = ({ components }: Status): Today['unwell'] =>
  components.flatMap(({ id, name, status }) => (status === 'operational' ? [] : [{ id, name, status }]))

/** The day of the company begins in Harare. */
async function volumeToday({ reads }: Ctx, ctxs: PerDatabase<Ctx>): Promise<Today['volume']> {
  const { rows } = await sql<{ since: Date }>`
    select date_trunc('day', muripo_now() at time zone 'Africa/Harare') at time zone 'Africa/Harare' as since`.execute(
    reads.kysely,
  )
  const since = rows[0]?.since ?? new Date(0)
  const all = (await Promise.all(ctxs.each.map((each) => volumeOfDay(each.reads.kysely, since)))).flat()
  return sumsOf(all)
}

/** One volume of each currency. */
export function sumsOf(volumes: readonly Volume[]): Today['volume'] {
  const sums = new Map<Currency, Volume>()
  for (const { total, payments } of volumes) {
    const before = sums.get(total.currency) ?? { total: money(0n, total.currency), payments: 0 }
    sums.set(total.currency, { total: add(before.total, total), payments: before.payments + payments })
  }
  return [...sums.values()].map(({ total, payments }) => ({
    currency: total.currency,
    payments,
    amount: toMajor(total),
  }))
}
