import { StatementId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { databaseNow } from '../../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { CheckedStatement, PreviousStatement } from './check-statement.ts'
import type { LineKind } from './mapping.ts'
import type { StatementLine, UnreadRow } from './statement.ts'

/** A statement as it is listed. */
export interface StoredStatement {
  readonly id: StatementId
  readonly sourceId: string
  readonly currency: string
  readonly position: number
  readonly fileName: string
  readonly number: string | null
  readonly startsOn: string | null
  readonly endsOn: string
  readonly openingMinor: bigint
  readonly openingFrom: string
  readonly closingMinor: bigint
  readonly closingFrom: string
  readonly lines: number
  readonly sumMinor: bigint
  readonly status: 'partial' | 'read'
  readonly unread: number
  readonly gapReason: string | null
  readonly receivedAt: Date
  readonly receivedBy: string
}

const statements = (db: Queryable) =>
  db
    .selectFrom('statements as s')
    .innerJoin('statement_sources as source', 'source.id', 's.source_id')
    .selectAll('s')
    .select('source.currency')
    .select([
      sql<string | null>`s.starts_on::text`.as('first_day'),
      sql<string>`s.ends_on::text`.as('last_day'),
      sql<bigint>`(select count(*) from statement_unread_rows u where u.statement_id = s.id and u.resolution is null)`.as(
        'unread',
      ),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof statements>['execute']>>[number]

const statementOf = (row: Row): StoredStatement => ({
  id: idFrom(StatementId, row.id),
  sourceId: row.source_id,
  currency: row.currency,
  position: row.position,
  fileName: row.file_name,
  number: row.stated_number,
  startsOn: row.first_day,
  endsOn: row.last_day,
  openingMinor: row.opening_minor,
  openingFrom: row.opening_from,
  closingMinor: row.closing_minor,
  closingFrom: row.closing_from,
  lines: row.lines,
  sumMinor: row.sum_minor,
  status: row.status as StoredStatement['status'],
  unread: Number(row.unread),
  gapReason: row.gap_reason,
  receivedAt: row.received_at,
  receivedBy: row.received_by,
})

/** The statements of a file that is stored already. */
export const statementsOfFile = async (
  tx: Tx,
  sourceId: string,
  sha256: Buffer,
): Promise<StoredStatement[]> =>
  (
    await statements(tx)
      .where('s.source_id', '=', sourceId)
      .where('s.sha256', '=', sha256)
      .orderBy('s.part')
      .execute()
  ).map(statementOf)

/** The newest statements first, of one source or of all. */
export const listStatements = async (
  db: Queryable,
  { sourceId, most }: { readonly sourceId: string | null; readonly most: number },
): Promise<StoredStatement[]> => {
  const query = statements(db)
    .orderBy('s.ends_on', 'desc')
    .orderBy('s.source_id')
    .orderBy('s.position', 'desc')
  const of = sourceId === null ? query : query.where('s.source_id', '=', sourceId)
  return (await of.limit(most).execute()).map(statementOf)
}

export async function findStatement(db: Queryable, id: StatementId): Promise<StoredStatement | null> {
  const row = await statements(db).where('s.id', '=', uuidOf(id)).executeTakeFirst()
  return row ? statementOf(row) : null
}

/** The last statement of a source. */
export async function endOfChain(tx: Tx, sourceId: string): Promise<StoredStatement | null> {
  const row = await statements(tx)
    .where('s.source_id', '=', sourceId)
    .orderBy('s.position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? statementOf(row) : null
}

/** The end of the chain on which the next statement follows. */
export const previousOf = ({
  position,
  number,
  endsOn,
  closingMinor,
}: StoredStatement): PreviousStatement => ({
  position,
  number,
  endsOn,
  closingMinor,
})

export interface NewStatement extends CheckedStatement {
  readonly id: StatementId
  readonly sourceId: string
  readonly fileName: string
  readonly sha256: Buffer
  readonly part: number
  readonly receivedBy: string
}

/** Inserts a statement that is partial until it has its lines. */
export async function insertStatement(tx: Tx, statement: NewStatement): Promise<void> {
  const { previous } = statement
  await tx
    .insertInto('statements')
    .values({
      id: uuidOf(statement.id),
      source_id: statement.sourceId,
      position: statement.position,
      previous_position: previous?.position ?? null,
      follows_on: previous?.endsOn ?? null,
      file_name: statement.fileName,
      sha256: statement.sha256,
      part: statement.part,
      stated_number: statement.number,
      starts_on: statement.startsOn,
      ends_on: statement.endsOn,
      opening_minor: statement.openingMinor,
      opening_from: statement.openingFrom,
      closing_minor: statement.closingMinor,
      closing_from: statement.closingFrom,
      lines: statement.lines,
      sum_minor: statement.sumMinor,
      status: 'partial',
      gap_reason: statement.gapReason,
      received_at: databaseNow,
      received_by: statement.receivedBy,
    })
    .execute()
}

/** The longest that one statement of an import may take, and that an import may wait for another of its source. */
const IMPORT_TIMEOUT_MS = 600_000

/** Prepares a transaction for a whole file: its lines are in a table of the session until all of them are read. */
export async function beginImport(tx: Tx): Promise<void> {
  const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const
  for (const setting of settings)
    await sql`select set_config(${setting}, ${`${IMPORT_TIMEOUT_MS}`}, true)`.execute(tx)
}

/** Empty at the beginning of each statement of a file. */
export async function beginLines(tx: Tx): Promise<void> {
  await sql`create temporary table if not exists imported_lines (
    part integer, row_number integer, entry integer, booked_on date, at_time time, value_on date, kind text, reference text, our_reference text,
    details text, fee_minor bigint, tax_minor bigint, net_minor bigint) on commit drop`.execute(tx)
}

export async function addLines(tx: Tx, part: number, lines: readonly StatementLine[]): Promise<void> {
  const each = <Value>(value: (line: StatementLine) => Value): Value[] => lines.map(value)
  await sql`
    insert into imported_lines
    select ${part}::int, * from unnest(
      ${each(({ row }) => row)}::int[], ${each(({ entry }) => entry)}::int[], ${each(({ bookedOn }) => bookedOn)}::date[],
      ${each(({ time }) => time)}::time[], ${each(({ valueOn }) => valueOn)}::date[], ${each(({ kind }) => kind)}::text[],
      ${each(({ reference }) => reference)}::text[], ${each(({ ourReference }) => ourReference)}::text[],
      ${each(({ details }) => details)}::text[], ${each(({ feeMinor }) => feeMinor)}::bigint[],
      ${each(({ taxMinor }) => taxMinor)}::bigint[], ${each(({ netMinor }) => netMinor)}::bigint[])`.execute(
    tx,
  )
}

/** The columns of a line from those of an imported one; `n` is the ordinal among the equal lines of its statement. */
const lineColumns = sql`
  concat_ws('|', coalesce(reference, ''), net_minor, booked_on, n), row_number, booked_on, value_on`

/** Stores the lines of a statement. The ordinal of a line is counted among those with its reference, amount and day. */
export async function storeLines(
  tx: Tx,
  { id, sourceId, part }: Pick<NewStatement, 'id' | 'sourceId' | 'part'>,
  timeZone: string,
): Promise<void> {
  await sql`
    insert into statement_lines (source_id, statement_id, line_key, row_number, booked_on, value_on, occurred_at, kind, reference,
      our_reference, details, gross_minor, fee_minor, tax_minor, net_minor)
    select ${sourceId}, ${uuidOf(id)}::uuid, ${lineColumns}, (booked_on + at_time) at time zone ${timeZone}, kind, reference,
      our_reference, details, net_minor + fee_minor + tax_minor, fee_minor, tax_minor, net_minor
    from (
      select *, row_number() over (partition by reference, net_minor, booked_on order by row_number, entry, ctid) as n
      from imported_lines where part = ${part}
    ) as numbered`.execute(tx)
}

export async function storeUnread(tx: Tx, id: StatementId, rows: readonly UnreadRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('statement_unread_rows')
    .values(
      rows.map(({ row, reason, cells }) => ({ statement_id: uuidOf(id), row_number: row, reason, cells })),
    )
    .execute()
}

/** Closes a statement by its lines. The database refuses it while rows are not resolved, or lines do not lead to its closing balance. */
export async function closeStatement(tx: Tx, id: StatementId): Promise<void> {
  await tx.updateTable('statements').set({ status: 'read' }).where('id', '=', uuidOf(id)).execute()
}

/** The lines with the same key in earlier statements of the source: the source may have stated them twice. */
export async function countRepeated(tx: Tx, id: StatementId): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from statement_lines line
    where line.statement_id = ${uuidOf(id)} and line.reference is not null and exists (
      select from statement_lines other
      where other.source_id = line.source_id and other.line_key = line.line_key and other.statement_id <> line.statement_id)`.execute(
    tx,
  )
  return Number(rows[0]?.count ?? 0n)
}

export interface StoredLine {
  readonly row: number
  readonly bookedOn: string
  readonly kind: LineKind
  readonly reference: string | null
  readonly details: string | null
  readonly netMinor: bigint
  readonly feeMinor: bigint
}

export async function linesOf(db: Queryable, id: StatementId, most: number): Promise<StoredLine[]> {
  const { rows } = await sql<StoredLine>`
    select row_number as row, booked_on::text as "bookedOn", kind, reference, details, net_minor as "netMinor", fee_minor as "feeMinor"
    from statement_lines where statement_id = ${uuidOf(id)} order by row_number, line_key limit ${most}`.execute(
    db,
  )
  return rows
}

export const unreadOf = async (db: Queryable, id: StatementId, most: number): Promise<UnreadRow[]> =>
  db
    .selectFrom('statement_unread_rows')
    .select(['row_number as row', 'reason', 'cells'])
    .where('statement_id', '=', uuidOf(id))
    .where('resolution', 'is', null)
    .orderBy('row_number')
    .limit(most)
    .execute()

/** Resolves an unread row. Returns false when there is none, or it was resolved before. */
export async function resolveUnread(
  tx: Tx,
  id: StatementId,
  row: number,
  { resolution, by }: { readonly resolution: string; readonly by: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('statement_unread_rows')
    .set({ resolution, resolved_by: by })
    .where('statement_id', '=', uuidOf(id))
    .where('row_number', '=', row)
    .where('resolution', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** A row that an operator has typed as a line. */
export interface TypedLine {
  readonly row: number
  readonly bookedOn: string
  readonly kind: LineKind
  readonly reference: string | null
  readonly netMinor: bigint
}

/** Adds a typed line to a partial statement. */
export async function addTypedLine(tx: Tx, statement: StoredStatement, line: TypedLine): Promise<void> {
  const id = uuidOf(statement.id)
  const { row, bookedOn, kind, reference, netMinor } = line
  await sql`
    insert into statement_lines (source_id, statement_id, line_key, row_number, booked_on, value_on, kind, reference, gross_minor,
      fee_minor, tax_minor, net_minor)
    select ${statement.sourceId}, ${id}::uuid, ${lineColumns}, ${kind}, reference, net_minor, 0, 0, net_minor
    from (
      select ${row}::int as row_number, ${bookedOn}::date as booked_on, null::date as value_on, ${reference}::text as reference,
        ${netMinor}::bigint as net_minor, 1 + (
          select count(*) from statement_lines
          where statement_id = ${id} and reference is not distinct from ${reference}::text and net_minor = ${netMinor}
            and booked_on = ${bookedOn}::date) as n
    ) as typed`.execute(tx)
  await sql`update statements set lines = lines + 1, sum_minor = sum_minor + ${netMinor} where id = ${id}`.execute(
    tx,
  )
}

/** Removes a partial statement with its lines. The database refuses it for a closed one. */
export async function deleteStatement(tx: Tx, id: StatementId): Promise<void> {
  const statementId = uuidOf(id)
  await tx.deleteFrom('statement_lines').where('statement_id', '=', statementId).execute()
  await tx.deleteFrom('statement_unread_rows').where('statement_id', '=', statementId).execute()
  await tx.deleteFrom('statements').where('id', '=', statementId).execute()
}
