import type { Reply } from '@muripo/contract/route'
import type { Component, ComponentStatus, getStatus } from '@muripo/contract/site'
import { cachedFor } from '../../../platform/async/cached.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Heartbeat } from '../../../platform/jobs/heartbeat.ts'
import type { Providers } from '../../providers/index.ts'

type Status = Reply<typeof getStatus>

const DATABASE_LIMIT_MS = 1000
const PROVIDER_LIMIT_MS = 2500
const DATABASE_CACHED_MS = 1000
const PROVIDER_CACHED_MS = 10_000

/** The present state of every part. The response does not depend on any part: no check exceeds its time-out and none throws. */
export function statusReader(ctx: Ctx, providers: Providers, heartbeat: Heartbeat): () => Promise<Status> {
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
        ctx.db.pool.query('select 1').then(() => 'operational'),
      ),
    ),
  )

  const asked = providers.all.flatMap(({ id, name, health }) =>
    health === undefined
      ? []
      : cachedFor(ctx.clock, PROVIDER_CACHED_MS, () =>
          component(id, name ?? id, () => within(PROVIDER_LIMIT_MS, health())),
        ),
  )

  return async () => {
    const components = await Promise.all([
      component('api', 'API', () => 'operational'),
      component('worker', 'Worker', () => heartbeat.state()),
      database(),
      ...asked.map((ask) => ask()),
    ])
    const isWhole = components.every(({ status }) => status === 'operational')
    return { status: isWhole ? 'operational' : 'degraded', components }
  }
}

function within(limitMs: number, check: Promise<ComponentStatus>): Promise<ComponentStatus> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, 'down')
    check.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
