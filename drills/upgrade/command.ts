import { setTimeout as sleep } from 'node:timers/promises'
import { countErrors, errorsOf } from '@muripo/rig/fleet'
import { until } from '@muripo/rig/until'
import { logProgress } from '../lib/report.ts'
import { defineScenario, type Fault } from '../lib/scenario.ts'
import { longestGap } from '../lib/shop.ts'
import { type FleetSystem, startFleet } from '../lib/system.ts'
import { makeReleases } from './releases.ts'

const PROCESSES = 4
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

export const drill = defineScenario({
  name: 'upgrade',
  describe:
    'an earlier and a later version serve one database side by side through an upgrade, and back (--from newest, present or COMMIT)',
  options: { from: 'newest', seconds: 8, customers: 6, seed: 1 },

  async prepare(directory, { from, ...numbers }) {
    const releases = makeReleases(
      from === 'newest' || from === 'present' ? from : { commit: from },
      directory,
    )
    logProgress(`earlier: ${releases.earlier.label}; later: ${releases.later.label}`)
    const fleet = await startFleet(directory, { ...numbers, processes: PROCESSES })
    const readyMs = { later: 0, back: 0 }
    const world = { sources: fleet, releases, readyMs, problems: [] as string[], stop: () => fleet.stop() }
    try {
      await startVersion(fleet, 'earlier', releases.earlier.tree)
      // The earlier version may not support captures.
      await fleet.openShop(false)
      return world
    } catch (error) {
      await fleet.stop()
      throw error
    }
  },

  /** Each version starts beside the one that runs, which is then stopped. */
  *faults({ sources: fleet, releases, readyMs, problems }, options) {
    const during = (name: string, inject?: () => Promise<void>): Fault => ({
      name,
      async inject() {
        await inject?.()
        await sleep(options.seconds * 1000)
        return undefined
      },
    })
    yield during('the earlier version')
    for (const [label, { tree }] of [
      ['later', releases.later],
      ['back', releases.earlier],
    ] as const) {
      const running = fleet.members.filter((member) => member.isRunning())
      yield during(`both versions, ${label}`, async () => {
        const since = performance.now()
        await startVersion(fleet, label, tree)
        readyMs[label] = performance.now() - since
      })
      yield during(`${label} alone`, async () => {
        for (const member of running) {
          const ending = await member.stop()
          fleet.router.remove(member.name)
          if (ending !== 0) problems.push(`${member.name} ended with ${ending}`)
        }
      })
    }
  },

  report({ sources: fleet, releases, readyMs, problems }, { traffic, findings }) {
    const logged = fleet.members.flatMap((member) => member.logged())
    const lines = (words: string, from = logged) => from.filter(({ msg }) => msg.startsWith(words)).length
    const migrated = 'migrated the database: '
    // The first process created the database.
    const created = lines(migrated, fleet.members[0]?.logged() ?? [])
    return {
      figures: [
        ['earlier version', releases.earlier.label],
        ['later version', releases.later.label],
        ['migrations', lines(migrated) - created],
        ['locks given up and tried again', lines('a migration did not get its lock')],
        ['until all processes were ready (later)', seconds(readyMs.later)],
        ['until all processes were ready (back)', seconds(readyMs.back)],
        [
          'longest time without an acknowledged create',
          seconds(longestGap(fleet.shop.orders.flatMap(({ answeredAt }) => answeredAt ?? []))),
        ],
        ['acknowledged payments', traffic.payments],
        ['paid', traffic.paid],
        ['acknowledged refunds', traffic.refunds],
        ['events delivered', traffic.deliveries],
        ['calls answered 503 with Retry-After', fleet.router.refusals],
        ['other server errors and broken calls', fleet.router.problems.length],
        ['error lines in logs', fleet.members.flatMap(errorsOf).length],
        ...findings,
      ],
      problems: [
        ...problems,
        ...fleet.router.problems.map(
          ({ member, call, answer }) => `${member}: ${call} was answered ${answer}`,
        ),
        ...[...countErrors(fleet.members)].map(([message, times]) => `${times} times in a log: ${message}`),
      ],
    }
  },
})

/** Starts the processes of a version one after the other, as an operator does, until the router has them. */
async function startVersion(fleet: FleetSystem, label: string, tree: string): Promise<void> {
  for (const role of ['api', 'worker'] as const) {
    const member = await fleet.start(`${label}-${role}`, role, tree)
    await member.ready()
  }
  const api = `${label}-api`
  await until(`${api} at the router`, async () => fleet.router.ready().includes(api) || undefined)
}
