import { expect, test } from 'vitest'
import { testDatabase } from '../../../apps/server/test/test-database.ts'
import { withClient } from '../postgres.ts'
import { inEachGroup, ofOneNode, sumOfGroups } from './sessions.ts'

test('counts of shard groups are added up', async () => {
  await withClient((await testDatabase()).url, async (client) => {
    const both = { groups: { ...ofOneNode(client).groups, each: [client, client] as const } }
    const text = 'select 2 as paid, 3 as refused'
    expect(await inEachGroup(both, text)).toEqual([[{ paid: 2, refused: 3 }], [{ paid: 2, refused: 3 }]])
    expect(await sumOfGroups(both, text)).toEqual({ paid: 4, refused: 6 })
  })
})
