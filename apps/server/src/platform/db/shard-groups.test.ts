import { AccountId } from '@muripo/contract/ids'
import pg from 'pg'
import { expect, test } from 'vitest'
import { skipOnCitus } from '../../../test/on-citus.ts'
import { testCtx } from '../../../test/test-ctx.ts'
import { testDatabase } from '../../../test/test-database.ts'
import { makeMerchant } from '../../modules/identity/factory.ts'
import { testAccountIdOf } from '../../modules/identity/merchants/store-environments.ts'
import { bind, bindPerDatabase, type Call } from '../http/route.ts'
import { idFrom, systemIds, uuidOf } from '../ids.ts'
import { databasesOf, noteGroups, oneDatabase, perGroup } from './databases.ts'
import { violatedConstraint } from './failures.ts'
import { accountHash, readShardGroups, type ShardGroup } from './shard-groups.ts'

const nodes = ['postgres://first/muripo', 'postgres://second/muripo']
const groups: ShardGroup[] = [-(2 ** 31), -(2 ** 30), 0, 2 ** 30].map((low, index) => ({
  schema: `shard_group_${index}`,
  url: nodes[index % 2] ?? '',
  low,
  high: low + 2 ** 30 - 1,
}))

/** An account of each group, in their order. */
const accounts = groups.map(({ low, high }) => {
  for (;;) {
    const id = systemIds.next(AccountId)
    if (accountHash(id) >= low && accountHash(id) <= high) return id
  }
})

test('an account is of the group that contains its hash', () => {
  const inGroups = perGroup(groups)?.map(({ schema }) => schema)
  expect(accounts.map((id) => inGroups?.of(id))).toEqual(groups.map(({ schema }) => schema))
  expect(inGroups?.each).toEqual(groups.map(({ schema }) => schema))
})

test('work of a node is done in the first of its databases', () => {
  const { sessions, onOtherNodes, nodeUrls } = databasesOf('postgres://coordinator/muripo', groups)
  expect(onOtherNodes(sessions)).toEqual([sessions.each[0], sessions.each[1]])
  expect(nodeUrls).toEqual(['postgres://coordinator/muripo', ...nodes])
})

test('a call is handled by the routes of its group', async () => {
  const ctxs = perGroup(groups)?.map(({ schema }) => schema) ?? oneDatabase('none')
  const spec = { method: 'GET', path: '/', summary: '', reply: {}, errors: [] } as never
  const [binding] = bindPerDatabase(
    ctxs,
    (caller: AccountId) => caller,
    (schema) => [bind(spec, async () => ({ status: 200, json: schema }) as never)],
  )
  const answers = accounts.map(
    async (caller) => (await binding?.handle({ caller } as Call<never, AccountId>))?.json,
  )
  expect(await Promise.all(answers)).toEqual(groups.map(({ schema }) => schema))
})

test('a database on one node has no shard groups', skipOnCitus('the database is distributed'), async () => {
  expect(perGroup(await readShardGroups((await testDatabase()).url))).toBeNull()
})

test("a merchant's test environment is in the group of the merchant", async () => {
  const inGroups = perGroup(groups)
  if (inGroups === null) throw new Error('there are groups')
  const ctx = { ...(await testCtx()), ids: systemIds }
  noteGroups(ctx, inGroups)
  try {
    for (const id of accounts) {
      const { merchantId } = await makeMerchant(ctx, { id })
      const testId = await ctx.db.tx((tx) => testAccountIdOf(ctx, tx, merchantId))
      expect(testId).not.toBe(merchantId)
      expect(inGroups.of(testId)).toBe(inGroups.of(merchantId))
    }
  } finally {
    await ctx.close()
  }
})

test('the constraint of a shard has the name of its table', () => {
  expect(violatedConstraint({ code: '23505', constraint: 'merchants_email_102009' })).toBe('merchants_email')
  expect(violatedConstraint({ code: '23505', constraint: 'payments_by_key' })).toBe('payments_by_key')
  const message = 'duplicate key value violates unique constraint "merchants_email_102009"'
  expect(violatedConstraint({ code: '23505', message })).toBe('merchants_email')
  expect(violatedConstraint({ code: '40001', message })).toBeNull()
})

test('the hash of an account is the one of PostgreSQL', async () => {
  const ids = [
    idFrom(AccountId, '00000000-0000-0000-0000-000000000000'),
    idFrom(AccountId, 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    ...Array.from({ length: 1000 }, () => systemIds.next(AccountId)),
  ]
  const client = new pg.Client({ connectionString: (await testDatabase()).url })
  await client.connect()
  try {
    const { rows } = await client.query(
      'select uuid_hash(id) as hash from unnest($1::uuid[]) with ordinality as given (id, n) order by n',
      [ids.map(uuidOf)],
    )
    expect(ids.map(accountHash)).toEqual(rows.map(({ hash }) => hash))
  } finally {
    await client.end()
  }
})
