import { typedId } from '@muripo/testing/typed-ids'
import type pg from 'pg'
import type { BigMerchant } from './seed.ts'

type Query = Readonly<Record<string, string | number>>

export interface Case {
  readonly name: string
  readonly group:
    | 'yardstick'
    | 'one filter'
    | 'together'
    | 'pages'
    | 'with a key'
    | 'dashboard'
    | 'scans of at most five seconds'
  /** The path of the nth request; it varies where the position in the table matters. */
  readonly path: (nth: number) => string
  readonly key?: string
}

/** Payments of the busiest application, spread over the two years, whose ids and months the queries contain. */
async function sampleOf(sql: pg.Client, merchant: BigMerchant): Promise<{ id: string; month: string }[]> {
  const { rows } = await sql.query<{ id: string; month: string }>(
    `select p.id, to_char(p.created_at, 'YYYY-MM') as month
     from generate_series(0, 99) as nth
     cross join lateral (
       select id, created_at from payments
       where account_id = $1 and application_id = (select id from applications where account_id = $1 order by id limit 1) and id > (
         select (lpad(to_hex((extract(epoch from now() - interval '700 days' + nth * interval '7 days') * 1000)::bigint), 12, '0')
           || repeat('0', 20))::uuid)
       order by id limit 1) as p`,
    [merchant.accountId],
  )
  return rows.map(({ id, month }) => ({ id: typedId('pay', id), month }))
}

/** Ids and months of the nth sample. */
type At = (nth: number) => { readonly id: string; readonly month: string }
type QueryOf = Query | ((nth: number) => Query)

export async function casesOf(sql: pg.Client, merchant: BigMerchant): Promise<Case[]> {
  const sample = await sampleOf(sql, merchant)
  const at: At = (nth) => sample[nth % sample.length] ?? { id: '', month: '' }
  return [
    {
      name: 'one payment by its key, /api/v1/payments/{id}',
      group: 'yardstick',
      path: (nth) => `/api/v1/payments/${at(nth).id}`,
      key: merchant.applicationKey,
    },
    ...filters(at, merchant),
    ...filtersTogether(at, merchant),
    ...laterPages(at),
    ...listsOfApplication(at, merchant),
    { name: "the dashboard's figures", group: 'dashboard', path: () => '/v1/stats/dashboard' },
    ...scans(at),
  ]
}

/** A list of the dashboard. */
const list =
  (group: Case['group']) =>
  (name: string, query: QueryOf): Case => ({
    name,
    group,
    path: (nth) => `/v1/payments/all?${searchOf(query, nth)}`,
  })

function searchOf(query: QueryOf, nth: number): URLSearchParams {
  const given = typeof query === 'function' ? query(nth) : query
  return new URLSearchParams(
    Object.entries({ limit: 100, ...given }).map(([name, value]) => [name, `${value}`]),
  )
}

/** A part of an id as a search. */
const part = (at: At, from: number, to: number) => (nth: number) => ({ search: at(nth).id.slice(from, to) })
const month = (at: At) => (nth: number) => ({ from: `${at(nth).month}-01`, to: `${at(nth).month}-28` })

/** The number of a customer of the merchant. */
const customerOf = (nth: number) => 1 + 37 * nth
const numberOf = (nth: number) => `${customerOf(nth)}`.padStart(7, '0')

function filters(at: At, { applicationIds }: BigMerchant): Case[] {
  const one = list('one filter')
  const [first, , , , fifth, last] = applicationIds
  return [
    one('no filter', {}),
    one('status completed', { status: 'completed' }),
    one('status failed', { status: 'failed' }),
    one('status refunded, three of all', { status: 'refunded' }),
    one('method ecocash', { method: 'ecocash' }),
    one('method visa', { method: 'visa' }),
    one('application, the busiest', { applicationId: `${first}` }),
    one('application, one of fifty', { applicationId: `${fifth}` }),
    one('application, nothing new for long', { applicationId: `${last}` }),
    one('a month', month(at)),
    one('from a day on', (nth) => ({ from: `${at(nth).month}-01` })),
    one('up to a day', (nth) => ({ to: `${at(nth).month}-28` })),
    one('amount from 5 on', { minAmount: 5 }),
    one('amount up to 5', { maxAmount: 5 }),
    one('amount 100 to 101', { minAmount: 100, maxAmount: 101 }),
    one('amount of which there are few', { minAmount: 9.98, maxAmount: 9.98 }),
    one('search, a whole id', part(at, 0, 30)),
    one('search, the first 12 letters', part(at, 0, 12)),
    one('search, the last 8', part(at, 22, 30)),
    one('search, a phone number', (nth) => ({ search: `077 ${numberOf(nth)}` })),
    one('search, the first digits of one', (nth) => ({ search: `077-${numberOf(nth).slice(0, 5)}` })),
    one('search, a number that nobody has', { search: '0719999999' }),
    one('search, a surname', (nth) => ({ search: `moyo${customerOf(nth)}` })),
    one('search, a first name that all have', { search: 'tendai' }),
    one('search, a name that nobody has', { search: 'Nobody' }),
    one('search, the beginning of a purpose', (nth) => ({ search: `order ${1 + 97 * nth}:` })),
    one('search, a reference', (nth) => ({ search: `ORDER-${1 + 97 * nth}` })),
  ]
}

function filtersTogether(at: At, { applicationIds }: BigMerchant): Case[] {
  const together = list('together')
  const inMonth = month(at)
  return [
    together('failed, a month', (nth) => ({ status: 'failed', ...inMonth(nth) })),
    together('failed visa of one application', {
      status: 'failed',
      method: 'visa',
      applicationId: `${applicationIds[4]}`,
    }),
    together('failed, amount from 100 on', { status: 'failed', minAmount: 100 }),
    together('refunded, amount from 5 on', { status: 'refunded', minAmount: 5 }),
    together('a month, amount from 100 on', (nth) => ({ ...inMonth(nth), minAmount: 100 })),
    together('a year, amount from 100 on', { from: '2026-01-01', minAmount: 100 }),
  ]
}

function laterPages(at: At): Case[] {
  const page = list('pages')
  return [
    page('no filter, deep', (nth) => ({ cursor: at(nth).id })),
    page('failed, deep', (nth) => ({ status: 'failed', cursor: at(nth).id })),
    page('amount 100 to 101, deep', (nth) => ({ minAmount: 100, maxAmount: 101, cursor: at(nth).id })),
    page('no filter, 1,000 at once', { limit: 1000 }),
    page('failed, 1,000 at once', { status: 'failed', limit: 1000 }),
  ]
}

/** Lists of the busiest application with its key. */
function listsOfApplication(at: At, { applicationKey: key }: BigMerchant): Case[] {
  const shop = (name: string, query: QueryOf): Case => ({
    name,
    group: 'with a key',
    path: (nth) => `/api/v1/payments?${searchOf(query, nth)}`,
    key,
  })
  return [
    shop('no filter of one application', {}),
    shop('failed of one application', { status: 'failed' }),
    shop('refunded of one application', { status: 'refunded' }),
    shop('a reference', (nth) => ({ reference: `order-${1 + 97 * nth}` })),
    shop('a reference that nobody has', { reference: 'order-0' }),
    shop('failed, a month', (nth) => ({
      status: 'failed',
      created_after: `${at(nth).month}-01T00:00:00Z`,
      created_before: `${at(nth).month}-28T00:00:00Z`,
    })),
    shop('no filter of one application, deep', (nth) => ({ cursor: at(nth).id })),
  ]
}

function scans(at: At): Case[] {
  const scan = list('scans of at most five seconds')
  return [
    scan('search, 6 in the midst', part(at, 15, 21)),
    scan('search, 3 in the midst', part(at, 18, 21)),
    scan('search, 2', part(at, 18, 20)),
    scan('search, 1', part(at, 18, 19)),
    scan('failed, search for 4', (nth) => ({ status: 'failed', ...part(at, 18, 22)(nth) })),
  ]
}
