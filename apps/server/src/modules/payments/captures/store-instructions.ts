import { AccountId, AttemptId, type Id, PaymentId } from '@muripo/contract/ids'
import { type Currency, money } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { KeyedRequest } from '../idempotency.ts'
import type { Payment } from '../payment.ts'
import { keyedColumns } from '../store-idempotency.ts'
import type { CaptureInstruction } from './instruction.ts'

/** A new instruction, with the request that gave it under an Idempotency-Key. */
export type NewInstruction = CaptureInstruction & { readonly keyed?: KeyedRequest | null }

const names = `account_id, payment_id, attempt_id, kind, amount_minor, currency, created_at, ${keyedColumns.names}`

/** The columns of `instructionRow`, as json_to_recordset reads them. */
export const instructionDefinition = `account_id uuid, payment_id uuid, attempt_id uuid, kind text, amount_minor bigint, currency text,
  created_at timestamptz, ${keyedColumns.definition}`

export const instructionRow = (instruction: NewInstruction, { amount }: Payment): object => ({
  account_id: uuidOf(instruction.accountId),
  payment_id: uuidOf(instruction.paymentId),
  attempt_id: uuidOf(instruction.attemptId),
  kind: instruction.kind,
  amount_minor: instruction.amount?.minor.toString(),
  currency: amount.currency,
  created_at: instruction.createdAt,
  ...instruction.keyed,
})

/** A statement that inserts the instructions of a relation. */
export const insertInstructionsFrom = (given: string): string =>
  `insert into capture_instructions (${names}) select ${names} from ${given}`

/** The instruction about a payment; null before it, and without a statement for a payment that is captured automatically. */
export async function instructionOf(
  db: Queryable,
  { captureMode, accountId, id }: Pick<Payment, 'captureMode' | 'accountId' | 'id'>,
): Promise<CaptureInstruction | null> {
  if (captureMode === 'automatic') return null
  const row = await rowsOf(db, accountId, id).selectAll().executeTakeFirst()
  if (!row) return null
  const common = {
    accountId: idFrom(AccountId, row.account_id),
    paymentId: idFrom(PaymentId, row.payment_id),
    attemptId: idFrom(AttemptId, row.attempt_id),
    createdAt: row.created_at,
  }
  return row.amount_minor === null
    ? { ...common, kind: 'void', amount: null }
    : { ...common, kind: 'capture', amount: money(row.amount_minor, row.currency as Currency) }
}

/** The first response to the request that captured a payment; null while it is outstanding. */
export async function findCaptureResponse(
  db: Queryable,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<{ readonly response: string | null; readonly ageMs: number } | null> {
  const row = await rowsOf(db, accountId, paymentId)
    .select([
      'response',
      sql<number>`extract(epoch from muripo_now() - created_at)::float8 * 1000`.as('age_ms'),
    ])
    .executeTakeFirst()
  return row ? { response: row.response, ageMs: row.age_ms } : null
}

/** The first response stays: false when there is one already. */
export async function saveCaptureResponse(
  db: Queryable,
  accountId: AccountId,
  paymentId: PaymentId,
  response: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('capture_instructions')
    .set({ response })
    .where('account_id', '=', uuidOf(accountId))
    .where('payment_id', '=', uuidOf(paymentId))
    .where('response', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const rowsOf = (db: Queryable, accountId: AccountId, paymentId: Id<'pay'>) =>
  db
    .selectFrom('capture_instructions')
    .where('account_id', '=', uuidOf(accountId))
    .where('payment_id', '=', uuidOf(paymentId))
