import { AccountId } from '@muripo/contract/ids'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import { idFrom, systemIds, uuidOf } from '../ids.ts'
import { accountHash } from './account-hash.ts'

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
