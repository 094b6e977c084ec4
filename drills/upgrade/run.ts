import { setTimeout as sleep } from 'node:timers/promises'
import { countErrors, errorsOf } from '@muripo/rig/fleet'
import type { GatewayProcess } from '@muripo/rig/gateway'
import type { Finding } from '../lib/compare.ts'

import { conclude, inspect } from '../lib/inspect.ts'
import { countFindings, type DrillReport, type Figure, logProgress } from '../lib/report.ts'
import { longestGap } from '../lib/shop.ts'
import { countTraffic, type FleetSystem, startFleet } from '../lib/system.ts'
import { type EarlierVersion, makeReleases, type Releases } from './releases.ts'

interface UpgradeOptions {
  readonly from: EarlierVersion
  /** The duration of the load in each part of the drill. */
  readonly seconds: number
  readonly customers: number
  readonly seed: number
}

const ROUTED_TIMEOUT_MS = 30_000

/** Upgrades while customers pay, goes back on the migrated database, and compares all records. */
export async function upgrade(directory: string, options: UpgradeOptions): Promise<DrillReport> {
  const releases = makeReleases(options.from, directory)
  logProgress(`earlier: ${releases.earlier.label}; later: ${releases.later.label}`)
  const fleet = await startFleet(directory, { ...options, processes: 4 })
  try {
    return await new UpgradeRun(fleet, releases, options.seconds).run()
  } finally {
    await fleet.stop()
  }
}

class UpgradeRun {
  private readonly fleet: FleetSystem
  private readonly releases: Releases
  private readonly seconds: number
  private readonly findings: Finding[] = []
  private readonly problems: string[] = []

  constructor(fleet: FleetSystem, releases: Releases, seconds: number) {
    this.fleet = fleet
    this.releases = releases
    this.seconds = seconds
  }

  async run(): Promise<DrillReport> {
    const { fleet, findings, problems } = this
    const { earlier, later } = this.releases
    const first = await this.start('earlier', earlier.tree)
    // The earlier version may not support captures.
    await fleet.openShop(false)
    await this.load('the earlier version')
    const [upgraded, upgradeMs] = await this.replace(first, 'later', later.tree)
    const [, backMs] = await this.replace(upgraded, 'back', earlier.tree)
    findings.push(...(await conclude(fleet)))
    for (const { member, call, answer } of fleet.router.problems)
      problems.push(`${member}: ${call} was answered ${answer}`)
    for (const [message, times] of countErrors(fleet.members))
      problems.push(`${times} times in a log: ${message}`)
    return {
      figures: [
        ['earlier version', earlier.label],
        ['later version', later.label],
        ...(await figuresOf(fleet, findings, { later: upgradeMs, back: backMs })),
      ],
      findings,
      problems,
    }
  }

  /** Starts a version beside the one that runs, stops the other one, and returns how long the start took. */
  private async replace(
    running: readonly GatewayProcess[],
    label: string,
    tree: string,
  ): Promise<[members: GatewayProcess[], readyMs: number]> {
    const since = performance.now()
    const members = await this.start(label, tree)
    const readyMs = performance.now() - since
    await this.load(`both versions, ${label}`)
    await this.stop(running)
    await this.load(`${label} alone`)
    return [members, readyMs]
  }

  /** Starts the processes of a version one after the other, as an operator does. */
  private async start(label: string, tree: string): Promise<GatewayProcess[]> {
    const members: GatewayProcess[] = []
    for (const role of ['api', 'worker'] as const) {
      const member = await this.fleet.start(`${label}-${role}`, role, tree)
      await member.ready()
      members.push(member)
    }
    await untilRouted(this.fleet, members)
    return members
  }

  private async stop(members: readonly GatewayProcess[]): Promise<void> {
    for (const member of members) {
      const ending = await member.stop()
      this.fleet.router.remove(member.name)
      if (ending !== 0) this.problems.push(`${member.name} ended with ${ending}`)
    }
  }

  /** Lets the customers pay for a time, and compares all records. */
  private async load(name: string): Promise<void> {
    await sleep(this.seconds * 1000)
    const found = await inspect(this.fleet)
    const { orders, refunds } = this.fleet.shop
    logProgress(`${name}: ${orders.length} orders, ${refunds.length} refunds, ${found.length} findings`)
    this.findings.push(...found)
  }
}

async function figuresOf(
  fleet: FleetSystem,
  findings: readonly Finding[],
  readyMs: Readonly<Record<string, number>>,
): Promise<Figure[]> {
  const { payments, paid, refunds, deliveries } = await countTraffic(fleet)
  const logged = fleet.members.flatMap((member) => member.logged())
  const lines = (words: string, from = logged) => from.filter(({ msg }) => msg.startsWith(words)).length
  const migrated = 'migrated the database: '
  // The first process created the database.
  const created = lines(migrated, fleet.members[0]?.logged() ?? [])
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const answeredAt = fleet.shop.orders.flatMap((order) => order.answeredAt ?? [])
  return [
    ['migrations', lines(migrated) - created],
    ['locks given up and tried again', lines('a migration did not get its lock')],
    ...Object.entries(readyMs).map(
      ([label, ms]): Figure => [`until all processes were ready (${label})`, seconds(ms)],
    ),
    ['longest time without an acknowledged create', seconds(longestGap(answeredAt))],
    ['acknowledged payments', payments],
    ['paid', paid],
    ['acknowledged refunds', refunds],
    ['events delivered', deliveries],
    ['calls answered 503 with Retry-After', fleet.router.refusals],
    ['other server errors and broken calls', fleet.router.problems.length],
    ['error lines in logs', fleet.members.flatMap(errorsOf).length],
    ...countFindings(findings),
  ]
}

async function untilRouted({ router }: FleetSystem, members: readonly GatewayProcess[]): Promise<void> {
  const names = members.filter(({ role }) => role !== 'worker').map(({ name }) => name)
  const giveUpAt = performance.now() + ROUTED_TIMEOUT_MS
  while (!names.every((name) => router.ready().includes(name))) {
    if (performance.now() > giveUpAt) throw new Error(`The router sees ${router.ready().join(', ')}`)
    await sleep(50)
  }
}
