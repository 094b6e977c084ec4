import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { advisoryLocks } from './locks-and-channels.ts'

const pollMs = 100

/**
 * Orders the processes that change the schema, until the session ends or unlocks. It has no time-out: another process may be in the middle
 * of a long migration. A statement that waited for the lock would hold a snapshot, and the build of an index waits for snapshots: the two
 * processes would wait for each other.
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      advisoryLocks.migration,
    ])
    if (rows[0]?.locked) return
    await sleep(pollMs)
  }
}
