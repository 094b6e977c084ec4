import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, chanceOf } from '../../lib/drill/chance.ts'
import { compare, type Finding } from '../../lib/drill/compare.ts'
import { finish, inspect } from '../../lib/drill/run.ts'
import { closeScene, openScene, type Scene } from '../../lib/drill/scene.ts'
import { type Cluster, type Node, startCluster } from './cluster.ts'

/** The last one needs root, and is practised only by its name. */
export const kinds = ['kill', 'switchover', 'partition', 'pause', 'disk-full'] as const
const inTurn = kinds.filter((kind) => kind !== 'disk-full')
export type Kind = (typeof kinds)[number]

export interface FailoverOptions {
  readonly times: number
  /** Every kind but `disk-full` in turn without it. */
  readonly kind: Kind | null
  readonly seed: number
  readonly customers: number
  readonly log: (line: string) => void
}

interface Failover {
  readonly fault: string
  /** The longest time between two creates that were acknowledged. */
  readonly withoutCreatesMs: number
}

export interface FailoverReport {
  readonly failovers: readonly Failover[]
  readonly orders: number
  readonly paid: number
  readonly refunds: number
  readonly deliveries: number
  readonly findings: readonly Finding[]
  readonly directory: string
}

interface Fault {
  readonly name: string
  strike(leader: Node): unknown
  /** After creates succeed again. */
  heal(former: Node): unknown
}

const RECOVERY_TIMEOUT_MS = 60_000
/** The time until an operator moves a leader whose disk is full: Patroni keeps it as long as its PostgreSQL runs. */
const OPERATOR_MS = 5000

/** The leader's PostgreSQL alone dies first, then with Patroni, then with etcd, as when a machine is lost. */
const kills: readonly Fault[] = [
  {
    name: 'kill PostgreSQL',
    strike: (leader) => leader.signalPostgres('SIGKILL'),
    heal: (former) => former.start(),
  },
  {
    name: 'kill PostgreSQL and Patroni',
    strike(leader) {
      leader.signal('patroni', 'SIGKILL')
      leader.signalPostgres('SIGKILL')
    },
    heal: (former) => former.start(),
  },
  {
    name: 'kill PostgreSQL, Patroni and etcd',
    strike(leader) {
      leader.signal('etcd', 'SIGKILL')
      leader.signal('patroni', 'SIGKILL')
      leader.signalPostgres('SIGKILL')
    },
    heal: (former) => former.start(),
  },
]

/** The kernel would answer for a frozen etcd, as it does not on a lost machine, and its clients would wait for it. */
function cutOff(node: Node): void {
  node.signal('patroni', 'SIGSTOP')
  node.signal('etcd', 'SIGKILL')
}

function rejoin(node: Node): void {
  node.signal('patroni', 'SIGCONT')
  node.start()
}

const faultOf = (cluster: Cluster, kind: Kind, nth: number): Fault => {
  switch (kind) {
    case 'kill':
      return kills[nth % kills.length] as Fault
    case 'switchover':
      return { name: 'switchover', strike: (leader) => cluster.switchOver(leader), heal: () => undefined }
    case 'partition':
      // PostgreSQL serves on beyond the end of its lock, as on the far side of a partition.
      return {
        name: 'partition',
        strike: cutOff,
        heal: rejoin,
      }
    case 'pause':
      return {
        name: 'pause',
        strike(leader) {
          cutOff(leader)
          leader.signalPostgres('SIGSTOP', true)
        },
        heal(former) {
          former.signalPostgres('SIGCONT', true)
          rejoin(former)
        },
      }
    case 'disk-full':
      return {
        name: 'disk full',
        async strike(leader) {
          leader.fillDisk()
          await sleep(OPERATOR_MS)
          // A PostgreSQL that could not write its log has ended, and Patroni has replaced it.
          if ((await cluster.leader()) === leader) await cluster.switchOver(leader)
        },
        heal(former) {
          former.freeDisk()
          former.start()
        },
      }
  }
}

/** Takes the leader away repeatedly while customers pay, and compares all records. */
export async function failover(options: FailoverOptions): Promise<FailoverReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-failover-'))
  const cluster = await startCluster(directory, { hasSmallDisks: options.kind === 'disk-full' })
  let findings: readonly Finding[] = [{ kind: 'unresolved', text: 'the run did not finish' }]
  try {
    const environment = {
      DATABASE_URL: cluster.url('muripo_serving'),
      MIGRATE_DATABASE_URL: cluster.url('muripo_owner'),
    }
    const opened = await openScene(directory, { ...options, environment })
    const scene = { ...opened, watched: { ...opened.watched, databaseUrl: () => cluster.url('superuser') } }
    try {
      const failovers: Failover[] = []
      findings = await failOverAll(cluster, scene, options, failovers)
      const { shop, wallet, receiver } = scene
      return {
        failovers,
        orders: shop.orders.filter(({ answered }) => answered !== null).length,
        paid: [...wallet.book.values()].filter(({ kind, status }) => kind === 'charge' && status === 'paid')
          .length,
        refunds: shop.refunds.filter(({ answered }) => answered !== null).length,
        deliveries: receiver.taken.size,
        findings: [...findings, ...shop.wrong.map((text) => ({ kind: 'half done', text }) as const)],
        directory,
      }
    } finally {
      await closeScene(opened)
    }
  } finally {
    await cluster.stop()
    if (findings.length === 0) rmSync(directory, { recursive: true, force: true })
  }
}

async function failOverAll(
  cluster: Cluster,
  scene: Scene,
  { times, kind: only, seed, log }: FailoverOptions,
  failovers: Failover[],
): Promise<Finding[]> {
  const chance = chanceOf(seed)
  for (let nth = 0; nth < times; nth += 1) {
    const kind = only ?? (inTurn[nth % inTurn.length] as Kind)
    const fault = faultOf(cluster, kind, only ? nth : Math.floor(nth / inTurn.length))
    const withoutCreatesMs = await failOver(cluster, scene, fault, chance)
    failovers.push({ fault: fault.name, withoutCreatesMs })
    const findings = await inspect(scene, compare)
    log(
      `${nth + 1}: ${fault.name}, ${(withoutCreatesMs / 1000).toFixed(1)} s without creates, ${scene.shop.orders.length} orders, ${findings.length} findings`,
    )
    if (findings.length > 0) return findings
  }
  await cluster.complete()
  return finish(scene, log)
}

/** @returns the longest time between two acknowledged creates */
async function failOver(cluster: Cluster, { shop }: Scene, fault: Fault, chance: Chance): Promise<number> {
  const leader = await cluster.complete()
  await sleep(chance.gapMs(2000, 1000, 5000))
  const answers = () => shop.orders.flatMap(({ answeredAt }) => answeredAt ?? []).toSorted((a, b) => a - b)
  const struckAt = performance.now()
  await fault.strike(leader)
  const giveUpAt = struckAt + RECOVERY_TIMEOUT_MS
  // The former leader may acknowledge creates until it notices.
  while (performance.now() < giveUpAt) {
    await sleep(200)
    const now = await cluster.leader()
    if (now !== null && now !== leader && (answers().at(-1) ?? 0) > performance.now() - 1000) break
  }
  await sleep(1000)
  const times = [struckAt, ...answers().filter((time) => time > struckAt), performance.now()]
  await fault.heal(leader)
  return Math.max(...times.slice(1).map((time, nth) => time - (times[nth] ?? time)))
}
