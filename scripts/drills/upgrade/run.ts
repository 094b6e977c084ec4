import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, type Finding } from '../../lib/drill/compare.ts'
import { type Fleet, openFleet } from '../../lib/drill/fleet.ts'
import { isError, type Member } from '../../lib/drill/member.ts'
import { finish, inspect } from '../../lib/drill/run.ts'
import { type EarlierVersion, makeReleases } from './releases.ts'

export interface UpgradeOptions {
  readonly from: EarlierVersion
  /** The duration of the load in each of its parts. */
  readonly seconds: number
  readonly customers: number
  readonly seed: number
  readonly log: (line: string) => void
}

export interface UpgradeReport {
  readonly figures: readonly (readonly [name: string, value: string])[]
  readonly findings: readonly Finding[]
  /** Answers that no client should see, and processes that did not end in order. */
  readonly problems: readonly string[]
  readonly directory: string
}

const DRAIN_SECONDS = 2
const ROUTED_TIMEOUT_MS = 30_000

/** Upgrades while customers pay, goes back on the migrated database, and compares all records. */
export async function upgrade(options: UpgradeOptions): Promise<UpgradeReport> {
  const { seconds, log } = options
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-upgrade-'))
  // The account of the database passes through.
  await chmod(directory, 0o711)
  let isClean = false
  const { earlier, later } = makeReleases(options.from, directory)
  log(`earlier: ${earlier.label}; later: ${later.label}`)
  const fleet = await openFleet(directory, { ...options, processes: 4, drainSeconds: DRAIN_SECONDS })
  const problems: string[] = []

  /** One process of a version after the other, as an operator starts them. */
  async function start(label: string, tree: string): Promise<Member[]> {
    const members: Member[] = []
    for (const role of ['api', 'worker'] as const) {
      const member = await fleet.start(`${label}-${role}`, role, tree)
      await member.ready()
      members.push(member)
    }
    await untilRouted(fleet, members)
    return members
  }
  async function stop(members: readonly Member[]): Promise<void> {
    for (const member of members) {
      const { code, signal } = await member.stop()
      fleet.router.remove(member.name)
      if (code !== 0) problems.push(`${member.name} ended with ${signal ?? code}`)
    }
  }
  async function load(name: string): Promise<Finding[]> {
    await sleep(seconds * 1000)
    const found = await inspect(fleet, compare)
    log(
      `${name}: ${fleet.shop.orders.length} orders, ${fleet.shop.refunds.length} refunds, ${found.length} findings`,
    )
    return found
  }

  try {
    let running = await start('earlier', earlier.tree)
    // The earlier version may not have captures.
    await fleet.openShop(false)
    const findings = await load('the earlier version')
    const longest: [string, number][] = []
    for (const [label, tree] of [
      ['later', later.tree],
      ['back', earlier.tree],
    ] as const) {
      const since = performance.now()
      const next = await start(label, tree)
      const readyMs = performance.now() - since
      findings.push(...(await load(`both versions, ${label}`)))
      await stop(running)
      running = next
      findings.push(...(await load(`${label} alone`)))
      longest.push([label, readyMs])
    }
    findings.push(...(await finish(fleet, log)))
    findings.push(...fleet.shop.wrong.map((text) => ({ kind: 'half done', text }) as const))
    for (const { member, call, answer } of fleet.router.problems)
      problems.push(`${member}: ${call} was answered ${answer}`)

    for (const [message, times] of fleet.errorsLogged()) problems.push(`${times} times in a log: ${message}`)

    isClean = findings.length === 0 && problems.length === 0
    return {
      figures: [
        ['earlier version', earlier.label],
        ['later version', later.label],
        ...figuresOf(fleet, findings, longest),
      ],
      findings,
      problems,
      directory,
    }
  } finally {
    await fleet.close()
    if (isClean) rmSync(directory, { recursive: true, force: true })
  }
}

function figuresOf(
  fleet: Fleet,
  findings: readonly Finding[],
  longest: readonly (readonly [label: string, ms: number])[],
): UpgradeReport['figures'] {
  const logged = fleet.members.flatMap((member) => member.logged())
  const lines = (words: string) => logged.filter(({ msg }) => msg.startsWith(words)).length
  const count = (kind: Finding['kind']) => String(findings.filter((each) => each.kind === kind).length)
  const { shop, wallet, receiver } = fleet
  return [
    ['migrations', String(lines('migrated the database: ') - firstMigrations(fleet))],
    ['locks given up and tried again', String(lines('a migration did not get its lock'))],
    ...longest.map(
      ([label, ms]) => [`until all processes were ready (${label})`, `${(ms / 1000).toFixed(1)} s`] as const,
    ),
    ['longest time without an acknowledged create', `${(longestGap(fleet) / 1000).toFixed(1)} s`],
    ['acknowledged payments', String(shop.orders.filter(({ answered }) => answered !== null).length)],
    [
      'paid',
      String(
        [...wallet.book.values()].filter(({ kind, status }) => kind === 'charge' && status === 'paid').length,
      ),
    ],
    ['acknowledged refunds', String(shop.refunds.filter(({ answered }) => answered !== null).length)],
    ['events delivered', String(receiver.taken.size)],
    ['calls answered 503 with Retry-After', String(fleet.router.refusals)],
    ['other server errors and broken calls', String(fleet.router.problems.length)],
    ['error lines in logs', String(logged.filter(isError).length)],
    ['lost', count('lost')],
    ['duplicated', count('duplicated')],
    ['half done', count('half done')],
    ['unresolved', count('unresolved')],
  ]
}

/** The first process made the database. */
const firstMigrations = ({ members }: Fleet): number =>
  members[0]?.logged().filter(({ msg }) => msg.startsWith('migrated the database: ')).length ?? 0

async function untilRouted({ router }: Fleet, members: readonly Member[]): Promise<void> {
  const names = members.filter(({ role }) => role !== 'worker').map(({ name }) => name)
  const giveUpAt = performance.now() + ROUTED_TIMEOUT_MS
  while (!names.every((name) => router.ready().includes(name))) {
    if (performance.now() > giveUpAt) throw new Error(`The router sees ${router.ready().join(', ')}`)
    await sleep(50)
  }
}

function longestGap({ shop }: Fleet): number {
  const times = shop.orders.flatMap(({ answeredAt }) => answeredAt ?? []).toSorted((a, b) => a - b)
  return Math.max(0, ...times.slice(1).map((time, nth) => time - (times[nth] ?? time)))
}
