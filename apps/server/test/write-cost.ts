import type { Ctx } from '../src/platform/ctx.ts'
import { statementsOf } from './statements.ts'

/** The cost of some work for the database. */
export interface WriteCost {
  readonly statements: number
  /** Transactions that wrote. */
  readonly commits: number
  /** By table. A hot update changes no index. */
  readonly inserted: Readonly<Record<string, number>>
  readonly updated: Readonly<Record<string, number>>
  readonly hotUpdated: Readonly<Record<string, number>>
  readonly deleted: Readonly<Record<string, number>>
  readonly indexEntries: number
  /** Without the images of whole pages that follow a checkpoint. */
  readonly walBytes: number
  /** Of these images. The records of the same change are longer with them. */
  readonly imageBytes: number
}

interface Entry {
  readonly kind: 'row' | 'index'
  readonly record: string
  readonly table: string
  readonly count: number
}

const heapRecords = {
  inserted: ['INSERT', 'INSERT+INIT'],
  updated: ['UPDATE', 'UPDATE+INIT'],
  hotUpdated: ['HOT_UPDATE'],
  deleted: ['DELETE'],
} as const

/** The changes that the WAL between two positions contains, of this database's own tables. Others share the server and its WAL. */
const changes = `with blocks as (
    select b.*, c.relkind, c.oid as relation from pg_get_wal_block_info($1, $2, false) b
    join pg_class c on c.relfilenode = b.relfilenode
    where b.reldatabase = (select oid from pg_database where datname = current_database())
      and c.relnamespace = 'public'::regnamespace and b.block_id = 0
  )
  select case when relkind = 'i' then 'index' else 'row' end as kind, record_type as record,
    coalesce(i.indrelid, relation)::regclass::text as table, count(*)::int as count
  from blocks left join pg_index i on i.indexrelid = relation
  where resource_manager = 'Heap' or resource_manager = 'Btree' and record_type ~ '^(INSERT_(LEAF|POST)|SPLIT_)'
  group by 1, 2, 3`

/** The transactions of these changes, and the bytes of their records. */
const transactions = `with records as (
    select * from pg_get_wal_records_info($1, $2)
  ), own as (
    select distinct r.xid from pg_get_wal_block_info($1, $2, false) b
    join pg_class c on c.relfilenode = b.relfilenode and c.relnamespace = 'public'::regnamespace
    join records r using (start_lsn)
    where b.reldatabase = (select oid from pg_database where datname = current_database()) and r.xid <> '0'
  )
  select count(*) filter (where resource_manager = 'Transaction' and record_type = 'COMMIT')::int as commits,
    coalesce(sum(record_length - fpi_length), 0)::int as bytes,
    coalesce(sum(fpi_length), 0)::int as images
  from records join own using (xid)`

/** Reads the cost from the write-ahead log, which counts every row and index entry at once and on any machine alike. */
export async function costOf(ctx: Ctx, work: () => Promise<unknown>): Promise<WriteCost> {
  const { pool } = ctx.background
  await pool.query('create extension if not exists pg_walinspect')
  const position = async () =>
    (await pool.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')).rows[0]?.lsn
  const from = await position()
  const statements = await statementsOf(ctx, work)
  // A commit of the test's own flushes the log up to its end.
  await pool.query('select pg_current_xact_id()')
  const to = (await pool.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn')).rows[0]?.lsn
  const { rows: entries } = await pool.query<Entry>(changes, [from, to])
  const { rows } = await pool.query<{ commits: number; bytes: number; images: number }>(transactions, [
    from,
    to,
  ])
  const rowsOf = (records: readonly string[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const { kind, record, table, count } of entries)
      if (kind === 'row' && records.includes(record)) counts[table] = (counts[table] ?? 0) + count
    return counts
  }
  return {
    statements: statements.length,
    commits: rows[0]?.commits ?? 0,
    inserted: rowsOf(heapRecords.inserted),
    updated: rowsOf(heapRecords.updated),
    hotUpdated: rowsOf(heapRecords.hotUpdated),
    deleted: rowsOf(heapRecords.deleted),
    indexEntries: entries.filter(({ kind }) => kind === 'index').reduce((sum, { count }) => sum + count, 0),
    walBytes: rows[0]?.bytes ?? 0,
    imageBytes: rows[0]?.images ?? 0,
  }
}
