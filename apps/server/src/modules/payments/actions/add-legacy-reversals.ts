import { sql } from 'kysely'
import type { PaymentsCtx } from '../context.ts'

const SLICE = 200

interface Reversed {
  readonly account_id: string
  readonly payment_id: string
  readonly minor: bigint
}

/**
 * Adds reversals that an earlier version has booked to the amount on their payments, in slices. Such a booking is an adjustment and no transfer
 * of its own, so amounts of this version are never repaired here. The change raises the version, as each change of a payment does.
 */
export async function addLegacyReversals(
  ctx: Pick<PaymentsCtx, 'db' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  let last: Reversed | undefined
  do {
    const found: Reversed[] = await nextReversed(ctx, last)
    for (const each of found) await add(ctx, each)
    last = found.length < SLICE ? undefined : found.at(-1)
  } while (last !== undefined && signal?.aborted !== true)
}

async function nextReversed(
  { db }: Pick<PaymentsCtx, 'db'>,
  last: Reversed | undefined,
): Promise<Reversed[]> {
  const after = last ? sql`(account_id, payment_id) > (${last.account_id}, ${last.payment_id})` : sql`true`
  const { rows } = await sql<Reversed>`
    select account_id, payment_id, reversed_minor as minor from payment_reversals_to_add
    where ${after} order by account_id, payment_id limit ${SLICE}`.execute(db.kysely)
  return rows
}

/** An earlier version could book more than a charge: the check of the payment refuses that amount, and the comparison reports it. */
async function add({ db, log }: Pick<PaymentsCtx, 'db' | 'log'>, reversed: Reversed): Promise<void> {
  const { account_id, payment_id, minor } = reversed
  try {
    await sql`
      update payments set reversed_minor = ${minor}, version = version + 1
      where account_id = ${account_id} and id = ${payment_id}`.execute(db.kysely)
  } catch (error) {
    log.error({ err: error, paymentId: payment_id }, 'a reversal of an earlier version exceeds its charge')
  }
}
