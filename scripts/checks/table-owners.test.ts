import { expect, test } from 'vitest'
import { positions } from '../lib/schema/distribution.ts'
import { owners } from '../lib/schema/owners.ts'
import { sources } from '../lib/sources.ts'
import { tableNamesOf } from '../lib/table-names.ts'

/** Tables and views that a module's statements name although another module owns them, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'applications environments': 'an application has one row for each environment',
  'applications merchants': 'reviews and payer pages read the merchant with the application in one statement',
  'ledger environments': 'balances are compared for live and for test environments',
  'payments application_keys': 'a create checks its key in the statement that inserts the payment',
  'payments applications': 'lists show the application of a payment; a create checks its status',
  'payments environments': 'figures of a merchant include its test environment',
  'stats application_figures': 'a view for the dashboard',
  'stats payment_figures': 'a view for the dashboard',
  'stats payment_method_figures': 'a view for the dashboard',
  'stats payment_revenue_figures': 'a view for the dashboard',
  'webhooks environments': 'an endpoint receives events of one environment',
}

const ownerOf = new Map(
  owners.flatMap(({ module, tables, views = [] }) => [...tables, ...views].map((name) => [name, module])),
)

/** The module of a file. The operator's commands and the composition root own no table. */
const moduleOf = (file: string): string =>
  /^apps\/server\/src\/(?:modules\/)?([^/]+)\//.exec(file)?.[1] ?? 'server'

const isShipped = ({ file }: { file: string }) => !/\.test\.ts$|\/factory\.ts$/.test(file)

const foreign = sources('apps/server/src/**/*.ts')
  .filter(isShipped)
  .flatMap((source) => {
    const module = moduleOf(source.file)
    return [...tableNamesOf(source)]
      .filter((name) => ownerOf.has(name) && ownerOf.get(name) !== module)
      .map((name) => ({ file: source.file, name, pair: `${module} ${name}` }))
  })

test('statements name the tables of their own module only', () => {
  const wrong = foreign
    .filter(({ pair }) => !(pair in exceptions))
    .map(({ file, name }) => `${file} names ${name} of ${ownerOf.get(name)}`)
  expect(wrong).toEqual([])
})

test('the list of exceptions has no entry that is no longer needed', () => {
  const found = new Set(foreign.map(({ pair }) => pair))
  expect(Object.keys(exceptions).filter((pair) => !found.has(pair))).toEqual([])
})

test('each table has a position for a schema over several nodes', () => {
  expect([...positions.keys()].sort()).toEqual(owners.flatMap(({ tables }) => tables).sort())
})

test.each([
  ["db.selectFrom('payments as p').innerJoin('refunds', 'a', 'b')", ['payments', 'refunds']],
  ["db.selectFrom(['books as b', 'payments'])", ['books', 'payments']],
  [
    'sql`update payments set a = 1 where id in (select id from x join only refunds r using (id))`',
    ['payments', 'refunds', 'x'],
  ],
  ["pool.query('delete from events where at < now()')", ['events']],
  ["const sentence = 'a payment of the payments page'", []],
  ['sql`select extract(epoch from now()) from unnest(?) as id`', []],
])('%s names %j', (text, tables) => {
  expect([...tableNamesOf({ file: 'a.ts', text })].sort()).toEqual(tables)
})
