import { expect, test } from 'vitest'
import { testDatabase } from '../../apps/server/test/test-database.ts'
import { withClient } from '../../scripts/lib/postgres.ts'
import { postgresCpu, postmasterOf, processCpu } from './meter.ts'

test('the postmaster of a session is found on this machine, with the processor time of its processes', async () => {
  await withClient((await testDatabase()).url, async (client) => {
    const { rows } = await client.query(
      "select pg_read_file('postmaster.pid') as lines, pg_backend_pid() as pid",
    )
    const postmaster = Number(rows[0].lines.split('\n')[0])
    expect(await postmasterOf(client)).toBe(postmaster)
    expect(postgresCpu(postmaster)).toBeGreaterThan(0)
    expect(postgresCpu(postmaster)).toBeGreaterThanOrEqual(processCpu(rows[0].pid))
    expect(postgresCpu()).toBeNaN()
  })
})
