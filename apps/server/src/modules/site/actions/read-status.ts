import type { Component, ComponentStatus, Incident, Status } from '@muripo/contract/site'
import { cachedFor, within } from '../../../platform/async/shared-reads.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { WorkerHealth } from '../../../platform/jobs/heartbeat.ts'
import { createHealthReaders, type Providers } from '../../providers/index.ts'
import { recentIncidents } from '../store-incidents.ts'

export type StatusReader = () => Promise<Status>

const DATABASE_LIMIT_MS = 1000
const DATABASE_CACHED_MS = 1000
const INCIDENTS_CACHED_MS = 5000

/** The present state of every part. The response does not depend on any part: no check exceeds its time-out and none throws. */
export function statusReader(ctx: Ctx, providers: Providers, worker: WorkerHealth): StatusReader {
  const now = () => ctx.clock.now().toISOString()

  async function component(
    id: string,
    name: string,
    check: () => ComponentStatus | Promise<ComponentStatus>,
  ): Promise<Component> {
    const status = await Promise.resolve()
      .then(check)
      .catch(() => 'down' as const)
    return { id, name, status, checkedAt: now() }
  }

  const database = cachedFor(ctx.clock, DATABASE_CACHED_MS, () =>
    component('database', 'Database', () =>
      within(
        DATABASE_LIMIT_MS,
        ctx.db.pool.query('select 1').then(() => 'operational' as const),
        'down',
      ),
    ),
  )

  // An incident may be that the database does not answer: the last known ones are shown then.
  let known: Incident[] = []
  const incidents = cachedFor(ctx.clock, INCIDENTS_CACHED_MS, async () => {
    const reading = recentIncidents(ctx.reads.kysely).catch(() => known)
    known = await within(DATABASE_LIMIT_MS, reading, known)
    return known
  })

  const healthReaderOf = createHealthReaders(ctx.clock)
  const ofProviders = () =>
    providers.routed.flatMap((connector) => {
      const read = healthReaderOf(connector)
      const { id, name } = connector
      return read === null ? [] : component(id, name ?? id, read)
    })

  return async () => {
    const components = await Promise.all([
      component('api', 'API', () => 'operational'),
      component('worker', 'Worker', () => within(DATABASE_LIMIT_MS, Promise.resolve(worker.state()), 'down')),
      database(),
      ...ofProviders(),
    ])
    const isWhole = components.every(({ status }) => status === 'operational')
    return { status: isWhole ? 'operational' : 'degraded', components, incidents: await incidents() }
  }
}
