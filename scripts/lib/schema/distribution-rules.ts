import type pg from 'pg'
import { tableNamesInSql } from '../table-names.ts'
import { type Position, tenantColumn } from './distribution.ts'

/** A constraint, index or trigger that Citus cannot distribute, or that would cross nodes. */
interface DistributionProblem {
  readonly name: string
  readonly because: string
}

type Positions = ReadonlyMap<string, Position>

/** Reads the catalogue of a database for the tables that have a position. */
export async function distributionProblems(
  client: pg.Client,
  positions: Positions,
): Promise<DistributionProblem[]> {
  const read = async <T extends Part>(
    query: string,
    refuse: (positions: Positions, part: T) => string | null,
  ) => {
    const { rows } = await client.query<T>(query, [[...positions.keys()]])
    return rows.flatMap((part) => problem(part.name, refuse(positions, part)))
  }
  return [
    ...(await read(keysQuery, ofKey)),
    ...(await read(referencesQuery, ofReference)),
    ...(await read(triggersQuery, ofTrigger)),
  ]
}

interface Part {
  readonly table: string
  readonly name: string
}

const problem = (name: string, because: string | null): DistributionProblem[] =>
  because === null ? [] : [{ name, because }]

interface Key extends Part {
  /** Null for an expression. */
  readonly columns: readonly (string | null)[]
}

function ofKey(positions: Positions, { table, columns }: Key): string | null {
  if (positions.get(table) !== 'distributed' || columns[0] === tenantColumn) return null
  return `a unique key of ${table} does not begin with ${tenantColumn}`
}

interface Reference extends Part {
  readonly target: string
  readonly columns: readonly string[]
  readonly targetColumns: readonly string[]
}

function ofReference(positions: Positions, reference: Reference): string | null {
  const { table, target, columns, targetColumns } = reference
  const from = positions.get(table)
  const to = positions.get(target)
  if (to === 'reference' || (from === 'local' && to === 'local')) return null
  if (from !== 'distributed' || to !== 'distributed')
    return `a foreign key of ${table}, which is ${from}, to ${target}, which is ${to}`
  const place = columns.indexOf(tenantColumn)
  if (place >= 0 && targetColumns[place] === tenantColumn) return null
  return `a foreign key of ${table} to ${target} without ${tenantColumn}`
}

interface Trigger extends Part {
  readonly hasTransitionTable: boolean
  readonly body: string
}

/**
 * A trigger runs on the node of the row, which has the rows of the same environment and the reference tables. Its statement on another
 * distributed table names no transition table, because Citus plans that statement on its own. A trigger of a local table runs on the
 * coordinator, which reaches every table.
 */
function ofTrigger(positions: Positions, { table, hasTransitionTable, body }: Trigger): string | null {
  const position = positions.get(table)
  if (position === 'local') return null
  const named = tableNamesInSql(body)
  const other = named.find((name) => {
    const to = positions.get(name)
    return to === 'local' || (to === 'distributed' && position === 'reference')
  })
  if (other !== undefined)
    return `a trigger of ${table}, which is ${position}, names ${other}, which is ${positions.get(other)}`
  const written = [...body.matchAll(/\b(?:insert into|update|delete from)\s+(\w+)/g)].map(
    ([, name = '']) => name,
  )
  if (written.some((name) => positions.get(name) === 'reference'))
    return `a trigger of ${table} writes a reference table`
  return hasTransitionTable ? `a trigger of ${table} has a transition table` : null
}

const isListed = `relnamespace = 'public'::regnamespace and c.relname = any ($1)`

const keysQuery = `
select c.relname as table, indexrelid::regclass::text as name,
  (select json_agg(attname order by n) from generate_series(0, indnkeyatts - 1) as n
   left join pg_attribute on attrelid = indrelid and attnum = indkey[n] and attnum > 0) as columns
from pg_index join pg_class c on c.oid = indrelid where ${isListed} and indisunique order by 1, 2`

const namesOf = (relation: string, numbers: string): string =>
  `(select json_agg(attname order by place) from unnest(${numbers}) with ordinality as k (num, place)
    join pg_attribute on attrelid = ${relation} and attnum = num)`

const referencesQuery = `
select c.relname as table, conname as name, confrelid::regclass::text as target,
  ${namesOf('conrelid', 'conkey')} as columns, ${namesOf('confrelid', 'confkey')} as "targetColumns"
from pg_constraint join pg_class c on c.oid = conrelid where ${isListed} and contype = 'f' order by 1, 2`

const triggersQuery = `
select c.relname as table, tgname as name, num_nonnulls(tgoldtable, tgnewtable) > 0 as "hasTransitionTable", prosrc as body
from pg_trigger t join pg_class c on c.oid = tgrelid join pg_proc p on p.oid = tgfoid
where ${isListed} and not tgisinternal order by 1, 2`
