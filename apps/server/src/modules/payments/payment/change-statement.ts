import type { NamedStatement } from '../../../platform/db/database.ts'
import { oneNow } from '../../../platform/db/database-time.ts'
import { insertTransfersFrom, transferDefinition } from '../../ledger/index.ts'
import { eventDefinition, insertEventsFrom } from '../../webhooks/index.ts'
import type { Payment } from './payment.ts'
import { insertAttemptsFrom, openedDefinition, updateAttemptsFrom } from './store-attempts.ts'
import { customerDefinition, upsertCustomers } from './store-customers.ts'
import { insertInstructionsFrom, instructionDefinition } from './store-instructions.ts'
import { paymentColumns } from './store-payment.ts'
import { insertReceiptsFrom, receiptDefinition } from './store-receipts.ts'
import { insertRefundsFrom, openedRefundDefinition, updateRefundsFrom } from './store-refunds.ts'
import { changeDefinition } from './tables.ts'

/** The rows of a change set, as JSON has them. */
export interface PreparedChange {
  readonly paymentId: string
  readonly after: Payment
  readonly rows: {
    readonly changes: object
    readonly attempts?: object | undefined
    readonly opened?: object | undefined
    readonly openedRefunds?: object | undefined
    readonly refunds?: object | undefined
    readonly instructions?: object | undefined
    readonly customers?: object | undefined
    readonly events?: object | undefined
    readonly transfers: readonly object[]
    readonly receipts?: object | undefined
  }
}

/** The relations of given rows, beside `changes`. */
const relations = [
  'opened',
  'attempts',
  'openedRefunds',
  'refunds',
  'customers',
  'events',
  'transfers',
  'receipts',
  'instructions',
] as const
type Relation = (typeof relations)[number]

/** PostgreSQL prepares every table of a statement that it may write, so that tables without rows to write are left out. */
export function statementFor(changes: readonly PreparedChange[]): NamedStatement {
  const rowsOf = (name: Relation | 'changes') =>
    changes.flatMap(({ rows }, n) => [rows[name] ?? []].flat().map((row) => ({ n, ...(row as object) })))
  const given = relations.map((name) => ({ name, rows: rowsOf(name) })).filter(({ rows }) => rows.length > 0)
  const names = given.map(({ name }) => name)
  return {
    name: `write-changes-${names.map((name) => relations.indexOf(name)).join('')}`,
    text: textFor(names),
    values: [rowsOf('changes'), ...given.map(({ rows }) => rows)].map((rows) => JSON.stringify(rows)),
  }
}

/** A relation of the rows in one parameter of the statement. */
const rowsIn = (parameter: number, definition: string): string =>
  `jsonb_to_recordset($${parameter}::jsonb) as given (n int, ${definition})`

/** The time that a change may wait for its turn. A decision from an older time is made again. */
const STALE_AFTER = "interval '5 seconds'"

const changeColumns = `decided_at timestamptz, expected int, attempt_id uuid, attempt_version int, ${paymentColumns.text.definition}`

/** The writes of each relation. `rows` is the part of its rows whose change sets are written. */
const writes: Record<Relation, { readonly definition: string; readonly write: (rows: string) => string }> = {
  opened: {
    definition: openedDefinition,
    write: (rows) => `opened as (${insertAttemptsFrom(rows)} returning 1)`,
  },
  attempts: {
    definition: changeDefinition,
    write: (rows) => `moved as (${updateAttemptsFrom(rows)} returning 1)`,
  },
  openedRefunds: {
    definition: openedRefundDefinition,
    write: (rows) => `opened_refunds as (${insertRefundsFrom(rows)})`,
  },
  refunds: {
    definition: changeDefinition,
    write: (rows) => `moved_refunds as (${updateRefundsFrom(rows)})`,
  },
  customers: {
    definition: customerDefinition,
    write: (rows) => `known as (${upsertCustomers(`table ${rows}`)})`,
  },
  events: { definition: eventDefinition, write: insertEventsFrom },
  transfers: { definition: transferDefinition, write: insertTransfersFrom },
  instructions: {
    definition: instructionDefinition,
    write: (rows) => `instructions as (${insertInstructionsFrom(rows)})`,
  },
  receipts: { definition: receiptDefinition, write: (rows) => `receipts as (${insertReceiptsFrom(rows)})` },
}

/** The triggers of a payment read its attempts: they are written first, because a subquery of the condition runs before the update. */
const attemptsFirst: Partial<Record<Relation, string>> = {
  opened: 'and (select count(*) from opened) >= 0',
  attempts: 'and (select count(*) from moved) >= 0',
}

/**
 * One statement, one commit. A change set is written if its payment and its attempt still have the versions that it was decided from:
 * both rows are locked, in one order everywhere, before any is changed.
 */
const buildText = (names: readonly Relation[]): string => `with given as materialized (
    select * from ${rowsIn(1, changeColumns)}
  ), locked as materialized (
    select given.* from given join payments on payments.account_id = given.account_id and payments.id = given.id
    where payments.version = given.expected
      and (decided_at is null or decided_at between ${oneNow} - ${STALE_AFTER} and ${oneNow} + ${STALE_AFTER})
    order by payments.account_id, payments.id
    for no key update of payments skip locked
  ), current_attempts as materialized (
    select locked.n from locked
    join payment_attempts on payment_attempts.account_id = locked.account_id and payment_attempts.id = locked.attempt_id
    where payment_attempts.version = locked.attempt_version
    for update of payment_attempts skip locked
  ), ready as materialized (
    select * from locked where attempt_id is null or n in (select n from current_attempts)
  ), readiness as materialized (
    select array_agg(n in (select n from ready) order by n) as of_set from given
  ), ${names
    .map((name, index) => {
      const rows = `rows_of_${index}`
      return `${rows} as (
    select given.* from ${rowsIn(index + 2, writes[name].definition)} where (select of_set from readiness)[n + 1]
  ), ${writes[name].write(rows)}, `
    })
    .join('')}written as (
    update payments set ${paymentColumns.text.assignments.replaceAll('given.', 'ready.')}
    from ready
    where payments.account_id = ready.account_id and payments.id = ready.id and ready.version is not null
      ${names.map((name) => attemptsFirst[name] ?? '').join(' ')}
  )
  select n from ready`

const texts = new Map<string, string>()

function textFor(names: readonly Relation[]): string {
  const key = names.join()
  const text = texts.get(key) ?? buildText(names)
  texts.set(key, text)
  return text
}
