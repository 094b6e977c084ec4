import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../apps/server/test/test-database.ts'
import { inEachGroup, ofOneNode, sumOfGroups } from './sessions.ts'

test('counts of shard groups are added up', async () => {
  const client = new pg.Client({ connectionString: (await testDatabase()).url })
  await client.connect()
  const sessions = ofOneNode(client)
  try {
    const both = { groups: { ...sessions.groups, all: [client, client] as const } }
    const text = 'select 2 as paid, 3 as refused'
    expect(await inEachGroup(both, text)).toEqual([[{ paid: 2, refused: 3 }], [{ paid: 2, refused: 3 }]])
    expect(await sumOfGroups(both, text)).toEqual({ paid: 4, refused: 6 })
  } finally {
    await sessions.end()
  }
})
