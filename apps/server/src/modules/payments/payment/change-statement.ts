import { auditRows } from '../../../platform/audit/audit.ts'
import type { NamedStatement } from '../../../platform/db/database.ts'
import { oneNow } from '../../../platform/db/database-time.ts'
import type { Changes } from '../../../platform/db/table.ts'
import { isActiveKey, mayWrite } from '../../applications/index.ts'
import { adjustmentRows, insertTransfersFrom, transferDefinition } from '../../ledger/index.ts'
import { eventDefinition, insertEventsFrom } from '../../webhooks/index.ts'
import type { Payment } from './payment.ts'
import { upsertCustomers } from './store-customers.ts'
import { insertReceiptsFrom, receiptDefinition } from './store-receipts.ts'
import {
  changedAnomalies,
  changedAttempts,
  changedRefunds,
  keyedInstructions,
  keyedRefunds,
  namedCustomers,
  openedAnomalies,
  openedAttempts,
  paymentRows,
} from './written-rows.ts'

/** The rows of a change set, as JSON has them. */
export interface PreparedChange {
  readonly paymentId: string
  readonly after: Payment
  readonly rows: {
    readonly changes: object
    /** Keys that have to be active. */
    readonly callers?: object | undefined
  } & { readonly [Name in Relation]?: object | readonly object[] | undefined }
}

/** The relations of given rows, beside `changes` and `callers`. */
const relations = [
  'opened',
  'attempts',
  'refunds',
  'openedRefunds',
  'customers',
  'events',
  'adjustments',
  'transfers',
  'receipts',
  'instructions',
  'openedAnomalies',
  'anomalies',
  'audited',
] as const
type Relation = (typeof relations)[number]

/** PostgreSQL prepares every table of a statement that it may write, so that tables without rows to write are left out. */
export function statementFor(changes: readonly PreparedChange[]): NamedStatement {
  const rowsOf = (name: Relation | 'changes' | 'callers') =>
    changes.flatMap(({ rows }, n) => [rows[name] ?? []].flat().map((row) => ({ n, ...(row as object) })))
  const callers = rowsOf('callers')
  const hasCallers = callers.length > 0
  const given = relations.map((name) => ({ name, rows: rowsOf(name) })).filter(({ rows }) => rows.length > 0)
  const names = given.map(({ name }) => name)
  return {
    name: `write-changes-${hasCallers ? 'k' : ''}${names.map((name) => relations.indexOf(name).toString(36)).join('')}`,
    text: textFor(names, hasCallers),
    values: [rowsOf('changes'), ...given.map(({ rows }) => rows), ...(hasCallers ? [callers] : [])].map(
      (rows) => JSON.stringify(rows),
    ),
  }
}

/** A relation of the rows in one parameter of the statement. */
const rowsIn = (parameter: number, definition: string): string =>
  `jsonb_to_recordset($${parameter}::jsonb) as given (n int, ${definition})`

/** The time that a change may wait for its turn. A decision from an older time is made again. */
const STALE_AFTER = "interval '5 seconds'"

const changeColumns = `decided_at timestamptz, expected int, attempt_id uuid, attempt_version int, ${paymentRows.text.definition}`

/** The writes of each relation. `rows` is the part of its rows whose change sets are written. */
const writes: Record<Relation, { readonly definition: string; readonly write: (rows: string) => string }> = {
  opened: inserts('opened', openedAttempts),
  attempts: {
    definition: changedAttempts.definition,
    write: (rows) =>
      `attempts as (${changedAttempts.updateFrom(rows, ', version = kept.version + 1')} returning 1)`,
  },
  refunds: updates('refunds_changed', changedRefunds),
  openedRefunds: inserts('opened_refunds', keyedRefunds),
  customers: {
    definition: namedCustomers.text.definition,
    write: (rows) => `known as (${upsertCustomers(`table ${rows}`)})`,
  },
  events: { definition: eventDefinition, write: insertEventsFrom },
  adjustments: inserts('adjustments', adjustmentRows),
  transfers: { definition: transferDefinition, write: insertTransfersFrom },
  receipts: { definition: receiptDefinition, write: (rows) => `receipts as (${insertReceiptsFrom(rows)})` },
  instructions: inserts('instructions', keyedInstructions),
  openedAnomalies: inserts('opened_anomalies', openedAnomalies),
  anomalies: updates('anomalies', changedAnomalies),
  audited: inserts('audited', auditRows),
}

interface Inserted {
  readonly text: { readonly definition: string }
  readonly insertFrom: (given: string) => string
}

function inserts(name: string, { text: { definition }, insertFrom }: Inserted) {
  return { definition, write: (rows: string) => `${name} as (${insertFrom(rows)} returning 1)` }
}

function updates(
  name: string,
  { definition, updateFrom }: Pick<Changes<never>, 'definition' | 'updateFrom'>,
) {
  return { definition, write: (rows: string) => `${name} as (${updateFrom(rows)} returning 1)` }
}

/** The triggers of one relation read another one, which is written first. */
const writtenAfter: Partial<Record<Relation | 'payments', Partial<Record<Relation, string>>>> = {
  payments: { opened: 'opened', attempts: 'attempts' },
  openedRefunds: { refunds: 'refunds_changed' },
  transfers: { adjustments: 'adjustments' },
}

/** A condition that is always true. PostgreSQL writes the other relations to find out. */
const writtenFirst = (name: Relation | 'payments', names: readonly Relation[]): string =>
  names
    .map((other) => writtenAfter[name]?.[other])
    .filter((other) => other !== undefined)
    .map((other) => ` and (select count(*) from ${other}) >= 0`)
    .join('')

/** The keys that may still write. */
const activeKeys = (parameter: number) => `callers as materialized (
    select given.n, exists (
      select from application_keys k join applications a on a.account_id = k.account_id and a.id = k.application_id
      where k.account_id = given.account_id and k.application_id = given.application_id and k.id = given.key_id
        and ${isActiveKey} and ${mayWrite}) as is_active
    from ${rowsIn(parameter, 'account_id uuid, application_id uuid, key_id uuid')}
  ), `

/**
 * One statement, one commit. A change set is written if its payment and its attempt still have the versions that it was decided from:
 * both rows are locked, in one order everywhere, before any is changed.
 */
const buildText = (names: readonly Relation[], hasCallers: boolean): string => `with ${
  hasCallers ? activeKeys(names.length + 2) : ''
}given as materialized (
    select * from ${rowsIn(1, changeColumns)}
  ), locked as materialized (
    select given.* from given join payments on payments.account_id = given.account_id and payments.id = given.id
    where payments.version = given.expected
      and (decided_at between ${oneNow} - ${STALE_AFTER} and ${oneNow} + ${STALE_AFTER})
    order by payments.account_id, payments.id
    for no key update of payments skip locked
  ), current_attempts as materialized (
    select locked.n from locked
    join payment_attempts on payment_attempts.account_id = locked.account_id and payment_attempts.id = locked.attempt_id
    where payment_attempts.version = locked.attempt_version
    for update of payment_attempts skip locked
  ), ready as materialized (
    select * from locked where (attempt_id is null or n in (select n from current_attempts))${
      hasCallers ? ' and not exists (select from callers where callers.n = locked.n and not is_active)' : ''
    }
  ), readiness as materialized (
    select array_agg(n in (select n from ready) order by n) as of_set from given
  ), ${names
    .map((name, index) => {
      const rows = `rows_of_${index}`
      return `${rows} as (
    select given.* from ${rowsIn(index + 2, writes[name].definition)} where (select of_set from readiness)[n + 1]${writtenFirst(name, names)}
  ), ${writes[name].write(rows)}, `
    })
    .join('')}written as (
    update payments set ${paymentRows.text.assignments.replaceAll('given.', 'ready.')}
    from ready
    where payments.account_id = ready.account_id and payments.id = ready.id and ready.version is not null
     ${writtenFirst('payments', names)}
  )
  select n from ready`

const texts = new Map<string, string>()

function textFor(names: readonly Relation[], hasCallers: boolean): string {
  const key = `${hasCallers} ${names.join()}`
  const text = texts.get(key) ?? buildText(names, hasCallers)
  texts.set(key, text)
  return text
}
