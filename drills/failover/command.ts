import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, chanceOf } from '@muripo/rig/chance'
import { percentile } from '../../bench/lib/statistics.ts'
import { databaseAt } from '../lib/database.ts'
import { defineScenario } from '../lib/scenario.ts'
import { longestGap, type Shop } from '../lib/shop.ts'
import { startSystem, stopSystem } from '../lib/system.ts'
import { type Cluster, missingPrograms, startCluster } from './cluster.ts'
import { faultOf, type Kind, kinds, kindsInTurn, type LeaderFault } from './faults.ts'

const RECOVERY_TIMEOUT_MS = 60_000

export const drill = defineScenario({
  name: 'failover',
  describe: 'three nodes of Patroni lose their leader while customers pay; then all records are compared',
  usage: `npm run drill -- failover [--times N] [--kind ${kinds.join('|')}] [--seed N] [--customers N]

Needs the Debian packages patroni, etcd-server, haproxy and postgresql (15).`,
  options: { times: 8, kind: ['', ...kinds], seed: 1, customers: 12 },
  refusal() {
    const missing = missingPrograms()
    return missing.length > 0 ? `Missing: ${missing.join(', ')}` : null
  },

  async prepare(directory, { kind, ...options }) {
    const cluster = await startCluster(directory, { hasSmallDisks: kind === 'disk-full' })
    const environment = {
      DATABASE_URL: cluster.url('muripo_serving'),
      MIGRATE_DATABASE_URL: cluster.url('muripo_owner'),
    }
    try {
      const system = await startSystem(directory, { ...options, environment })
      return {
        cluster,
        sources: { ...system, database: databaseAt(() => cluster.url('superuser')) },
        /** The longest time between two acknowledged creates, for each failover. */
        withoutCreatesMs: [] as number[],
        async stop() {
          await stopSystem(system)
          await cluster.stop()
        },
      }
    } catch (error) {
      await cluster.stop()
      throw error
    }
  },

  *faults({ cluster, sources, withoutCreatesMs }, { times, kind: only, seed }) {
    const chance = chanceOf(seed)
    for (let nth = 0; nth < times; nth += 1) {
      const kind = only || (kindsInTurn[nth % kindsInTurn.length] as Kind)
      const fault = faultOf(cluster, kind, only ? nth : Math.floor(nth / kindsInTurn.length))
      yield {
        name: `${nth + 1}: ${fault.name}`,
        async inject() {
          const gapMs = await failOver(cluster, sources.shop, fault, chance)
          withoutCreatesMs.push(gapMs)
          return `${(gapMs / 1000).toFixed(1)} s without creates`
        },
      }
    }
  },

  finish: async ({ cluster }) => void (await cluster.complete()),

  report({ withoutCreatesMs }, { traffic, findings }) {
    const seconds = (share: number) => `${(percentile(withoutCreatesMs, share) / 1000).toFixed(1)} s`
    return {
      figures: [
        ['failovers', withoutCreatesMs.length],
        ['acknowledged payments', traffic.payments],
        ['paid', traffic.paid],
        ['acknowledged refunds', traffic.refunds],
        ['events delivered', traffic.deliveries],
        ...findings,
        ['without creates', `${seconds(0.5)} (p50), ${seconds(0.95)} (p95)`],
      ],
    }
  },
})

/** @returns the longest time between two acknowledged creates */
async function failOver(cluster: Cluster, shop: Shop, fault: LeaderFault, chance: Chance): Promise<number> {
  const leader = await cluster.complete()
  await sleep(chance.gapMs(2000, 1000, 5000))
  const answers = () => shop.orders.flatMap(({ answeredAt }) => answeredAt ?? []).toSorted((a, b) => a - b)
  const injectedAt = performance.now()
  await fault.inject(leader)
  const giveUpAt = injectedAt + RECOVERY_TIMEOUT_MS
  // The former leader may acknowledge creates until it notices.
  while (performance.now() < giveUpAt) {
    await sleep(200)
    const now = await cluster.leader()
    if (now !== null && now !== leader && (answers().at(-1) ?? 0) > performance.now() - 1000) break
  }
  await sleep(1000)
  const times = [injectedAt, ...answers().filter((time) => time > injectedAt), performance.now()]
  await fault.recover(leader)
  return longestGap(times)
}
