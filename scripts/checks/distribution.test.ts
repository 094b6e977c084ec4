import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../apps/server/test/test-database.ts'
import { withClient } from '../lib/postgres.ts'
import { repository } from '../lib/repository.ts'
import { positions, reachedFromGroups } from '../lib/schema/distribution.ts'
import { distributionProblems } from '../lib/schema/distribution-rules.ts'
import { distributionFile, generatedPart, printDistribution } from '../lib/schema/print-distribution.ts'
import { tryRows } from '../lib/schema/try-rows.ts'

/** Keys, foreign keys and triggers that the rules refuse, with the reason why they are as they are. The list only becomes shorter. */
const exceptions: Readonly<Record<string, string>> = {
  ledger_transfers_guard_payment: 'one check for all transfers of a statement',
  ledger_transfers_guard_posting: 'one check for all transfers of a statement',
  merchants_copy_status:
    'applications contain the status of their merchant, so that a create does not read the merchant',
  payments_append_changed_deltas: 'one insert for all payments of a statement',
  payments_append_created_deltas: 'one insert for all payments of a statement',
}

let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: (await testDatabase()).url })
  await client.connect()
})
afterAll(() => client.end())

test('keys, foreign keys and triggers keep to the position of their table', async () => {
  const problems = await distributionProblems(client, positions)
  expect(problems.filter(({ name }) => !(name in exceptions))).toEqual([])
  const names = problems.map(({ name }) => name)
  expect(Object.keys(exceptions).filter((name) => !names.includes(name))).toEqual([])
})

const distribution = readFileSync(path.join(repository, distributionFile), 'utf8')

test('distribute.sql puts each table in its position, after the tables that it refers to', async () => {
  expect(await printDistribution(client)).toBe(distribution)
  expect(generatedPart.exec(distribution)?.[2]?.split('\n')).toHaveLength(
    [...positions.values()].filter((position) => position !== 'local').length + reachedFromGroups.length,
  )
})

/** The part of distribute.sql that gives triggers another form. */
const [, forms = ''] = generatedPart.exec(distribution) ?? []

test.each([
  ['as on one node', ''],
  ['in the forms of distribute.sql', forms],
])('the triggers %s write the deltas of a payment and refuse wrong transfers', async (_what, sql) => {
  await withClient((await testDatabase()).url, async (own) => {
    if (sql !== '') await own.query(sql)
    expect(await tryRows(own)).toEqual([])
    const problems = await distributionProblems(own, positions)
    const withTable = problems.filter(({ because }) => because.includes('transition table'))
    expect(withTable).toHaveLength(sql === '' ? 4 : 0)
  })
})

async function refused(sql: string): Promise<string[]> {
  await client.query('begin')
  try {
    await client.query(`create table orders (account_id uuid, id uuid, primary key (account_id, id));
      create table regions (id uuid primary key); create table visits (id uuid primary key); ${sql}`)
    const problems = await distributionProblems(
      client,
      new Map([
        ['orders', 'distributed'],
        ['lines', 'distributed'],
        ['regions', 'reference'],
        ['visits', 'local'],
      ]),
    )
    return problems.map(({ because }) => because)
  } finally {
    await client.query('rollback')
  }
}

const trigger = (table: string, body: string, kind = 'for each row') => `
  create function guard() returns trigger language plpgsql as $$ begin ${body} return null; end $$;
  create trigger guard after insert on ${table} ${kind} execute function guard()`

test.each([
  ['create unique index on orders (id, account_id)', 'a unique key of orders does not begin with account_id'],
  [
    'create unique index on orders (lower(id::text))',
    'a unique key of orders does not begin with account_id',
  ],
  [
    'create table lines (account_id uuid, order_id uuid, foreign key (order_id, account_id) references orders)',
    'a foreign key of lines to orders without account_id',
  ],
  [
    'alter table visits add order_account uuid, add foreign key (order_account, id) references orders',
    'a foreign key of visits, which is local, to orders, which is distributed',
  ],
  [
    'alter table orders add foreign key (id) references visits',
    'a foreign key of orders, which is distributed, to visits, which is local',
  ],
  [
    trigger('orders', 'perform from visits;'),
    'a trigger of orders, which is distributed, names visits, which is local',
  ],
  [
    trigger('regions', 'delete from orders;'),
    'a trigger of regions, which is reference, names orders, which is distributed',
  ],
  [trigger('orders', 'delete from regions;'), 'a trigger of orders writes a reference table'],
  [
    trigger('orders', 'perform from made;', 'referencing new table as made for each statement'),
    'a trigger of orders has a transition table',
  ],
])('%s is refused', async (sql, because) => {
  expect(await refused(sql)).toEqual([because])
})

test.each([
  'create table lines (account_id uuid, order_id uuid, foreign key (account_id, order_id) references orders)',
  'alter table orders add foreign key (id) references regions',
  'alter table visits add foreign key (id) references regions',
  trigger('orders', 'perform from regions; perform from orders;'),
  trigger('visits', 'delete from orders;'),
])('%s is allowed', async (sql) => {
  expect(await refused(sql)).toEqual([])
})
