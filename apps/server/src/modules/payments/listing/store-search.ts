import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { indexRangesOf } from './id-search.ts'
import type { SearchTerms } from './search-terms.ts'
import { COUNT_LIMIT, type Selection } from './selection.ts'
import {
  contains,
  idWithin,
  inIdRange,
  matchesFilters,
  matchesOtherFilters,
  type Sql,
} from './store-conditions.ts'
import { indexedIdQueries } from './store-matching.ts'

type Condition = RawBuilder<SqlBool>

/** The payments that contain the terms of a search. */
export interface TermsFound {
  /** More payments than a count reads have one of the terms. */
  readonly isFrequent: boolean
  /** A query for the newest ids that the selection keeps. */
  idsOf(selection: Selection, most: number): Sql
  /** A query for the ids that the selection keeps, as far as they are counted: of a frequent term not all. */
  countedIds(selection: Selection): Sql
}

/** The newest payments, whose ids are compared with a fragment also when a person has been found. */
const RECENT_IDS = 2000

/**
 * Looks the terms of a search up. Null when no payment has them, so that the search is one for an id. When some have, the ids that begin or
 * end with the text and those of the newest payments are searched as well; the text in the middle of an older id is not.
 */
export async function findTerms(db: Queryable, selection: Selection): Promise<TermsFound | null> {
  const { accountId, terms } = selection
  if (terms === null) return null
  const sources = sourcesOf(accountId, terms, COUNT_LIMIT + 1)
  const { rows } = await sql<{ most: number }>`select max(found.payments)::int as most from (${sql.join(
    sources.map(
      (source) => sql`select count(*) as payments from (${source} limit ${COUNT_LIMIT + 1}) as read`,
    ),
    sql` union all `,
  )}) as found`.execute(db)
  const most = rows[0]?.most ?? 0
  if (most === 0 && !terms.isWholeNumber) return null
  const isFrequent = most > COUNT_LIMIT
  const ids = idQueries(selection)
  const counted = unionOf([...sources, ...ids], COUNT_LIMIT + 1)
  const idsOf = (kept: Selection, limit: number): Sql => keptOf(counted, kept, limit)
  const all = unionOf([...sourcesOf(accountId, terms), ...ids])
  return {
    isFrequent,
    idsOf: isFrequent ? (kept, limit) => frequentIds(all, kept, limit) : idsOf,
    countedIds: (kept) => idsOf(kept, COUNT_LIMIT + 1),
  }
}

const atMost = (limit: number | undefined): Sql => (limit === undefined ? sql`` : sql`limit ${limit}`)

/** The ids of all sources, of each at most so many. An id may occur twice. */
const unionOf = (sources: readonly Sql[], limit?: number): Sql =>
  sql.join(
    sources.map((source) => sql`(${source} ${atMost(limit)})`),
    sql` union all `,
  )

const keptOf = (found: Sql, kept: Selection, limit: number): Sql => sql`
  select distinct id from (${found}) as found
  where ${matchesOtherFilters(sql`found.id`, { ...kept, ids: null })} order by id desc limit ${limit}`

/** The newest payments that are read first for a frequent term. */
const NEWEST = 5000

/**
 * The newest payments fill most pages of a frequent term. When they do not, the term was frequent long ago, and its ids are gathered from
 * the indexes. The condition has no column of the gathered rows, so these are not read when the page is full.
 */
const frequentIds = (all: Sql, kept: Selection, most: number): Sql => sql`
  with newest as materialized (${amongNewest(kept, most)})
  select id from newest where (select count(*) from newest) = ${most}
  union all
  (${keptOf(sql`select id from (${all}) as found where (select count(*) from newest) < ${most}`, kept, most)})`

/** The last code point sorts after every text. */
const LAST = '\u{10ffff}'

const beginsWith = (column: Sql, prefix: Sql): Condition =>
  sql`${column} collate "C" >= ${prefix} collate "C" and ${column} collate "C" < (${prefix} || ${LAST}) collate "C"`

// The expressions of the indexes.
const name = sql`lower(customer_name)`
const surname = sql`lower(split_part(customer_name, ' ', -1))`
/** As many characters of a purpose as its index has. */
const PURPOSE_LETTERS = 60
const purpose = sql`lower(left(description, 60))`

const ofName = (text: Sql): Condition => sql`customer_name is not null and ${beginsWith(name, text)}`
const ofSurname = (text: Sql): Condition =>
  sql`strpos(customer_name, ' ') > 0 and ${beginsWith(surname, text)}`
const ofPurpose = (text: Sql): Condition =>
  sql`${beginsWith(purpose, sql`left(${text}, ${PURPOSE_LETTERS})`)} and starts_with(lower(description), ${text})`
/** An erasure of an earlier version removes the customer's number only. */
const ofNumber = (number: string): Condition =>
  sql`search_phone is not null and customer_phone is not null and ${beginsWith(sql`search_phone`, sql`${number}::text`)}`
const ofPayer = (number: string): Condition =>
  sql`msisdn is not null and ${beginsWith(sql`msisdn`, sql`${number.slice(1)}::text`)}`
/** The index of references has the order of the database. A whole reference is found in every order. */
const ofReference = (reference: string): Condition =>
  sql`reference >= ${reference}::text and reference < ${`${reference}${LAST}`}::text and starts_with(reference, ${reference})`

const lowerText = ({ text }: SearchTerms): Sql => sql`lower(${text}::text)`

/** As a shop writes its references, which are compared exactly. */
const referencesOf = ({ text }: SearchTerms): string[] => [
  ...new Set([text, text.toLowerCase(), text.toUpperCase()]),
]

/** Conditions on a payment, each with the expression by which its index of finished payments is ordered. */
function indexedTerms(terms: SearchTerms): (readonly [condition: Condition, order: Sql])[] {
  const text = lowerText(terms)
  return [
    [ofName(text), name],
    [ofSurname(text), surname],
    [ofPurpose(text), purpose],
    ...terms.numbers.map((number) => [ofNumber(number), sql`search_phone`] as const),
  ]
}

const anyOf = (conditions: readonly Condition[]): Condition =>
  sql.join(
    conditions.map((condition) => sql`(${condition})`),
    sql` or `,
  )

/** The newest pending payments of an application that are searched: the indexes contain finished payments, so that a create writes none of them. */
const PENDING = 5000

/**
 * Queries of the ids for each kind of term. The order of each leaves one index to the planner.
 * @param limit of each query that reads several ranges; the caller limits the others
 */
function sourcesOf(accountId: string, terms: SearchTerms, limit?: number): Sql[] {
  const finished = (where: Condition, order: Sql) => sql`
    select id from payments
    where account_id = ${accountId}::uuid and status <> 'pending' and ${where} order by ${order} collate "C"`
  const ofApplications = (query: Sql) => sql`
    select of_application.id from (
      select id from applications where account_id = ${accountId}::uuid offset 0
    ) as application
    cross join lateral (${query}) as of_application`
  const ofApplication = sql`account_id = ${accountId}::uuid and application_id = application.id`
  return [
    ...indexedTerms(terms).map(([condition, order]) => finished(condition, order)),
    ofApplications(sql`
      select id from (
        select * from payments where ${ofApplication} and status = 'pending' and index_method = ''
        order by id desc limit ${PENDING}
      ) as payments
      where ${anyOf(indexedTerms(terms).map(([condition]) => condition))}`),
    ...referencesOf(terms).map((reference) =>
      ofApplications(sql`
        select id from payments where ${ofApplication} and ${ofReference(reference)} order by reference ${atMost(limit)}`),
    ),
    ...terms.numbers.map(
      (number) => sql`select payment_id as id from payment_attempts
        where account_id = ${accountId}::uuid and ${ofPayer(number)} order by msisdn collate "C"`,
    ),
  ]
}

/** Queries of the ids that contain the text, as far as an index or the newest payments have them. */
function idQueries(selection: Selection): Sql[] {
  const { accountId, ids, fragment } = selection
  if (ids !== null)
    return [sql`select id from payments where account_id = ${accountId}::uuid and ${idWithin(ids)}`]
  if (fragment === null) return []
  const ranges = indexRangesOf(fragment)
  return [
    ...(ranges === null ? [] : indexedIdQueries(accountId, fragment, ranges)),
    sql`select id from (
        select id from payments where ${inIdRange({ ...selection, olderThan: null })} order by id desc limit ${RECENT_IDS}
      ) as newest where ${contains(sql`id`, fragment)}`,
  ]
}

/** The newest payments of the merchant that have one of the terms. */
function amongNewest(selection: Selection, most: number): Sql {
  const { terms } = selection
  const kept = { ...selection, ids: null, fragment: null }
  return sql`
    select id from (
      select * from payments where ${inIdRange(kept)} order by id desc limit ${NEWEST}
    ) as payments
    where ${matchesFilters(kept)} and (${terms === null ? sql`true` : hasTerms(selection, terms)})
    order by id desc limit ${most}`
}

/** The conditions of `sourcesOf` for one payment. */
const hasTerms = ({ accountId, ids, fragment }: Selection, terms: SearchTerms): Condition =>
  anyOf([
    ...indexedTerms(terms).map(([condition]) => condition),
    ...referencesOf(terms).map(ofReference),
    ...terms.numbers.map(
      (number) => sql<SqlBool>`exists (select from payment_attempts
        where account_id = ${accountId}::uuid and payment_id = payments.id and ${ofPayer(number)} offset 0)`,
    ),
    ...(ids === null ? [] : [idWithin(ids)]),
    ...(fragment === null ? [] : [contains(sql`id`, fragment)]),
  ])
