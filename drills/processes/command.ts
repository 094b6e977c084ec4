import { setTimeout as sleep } from 'node:timers/promises'
import { countErrors, type Role } from '@muripo/rig/fleet'
import type { GatewayProcess } from '@muripo/rig/gateway'
import { allMails } from '@muripo/rig/mailbox'
import { signIn, signUp } from '@muripo/rig/merchant'
import { passTime, unfinishedWork, untilNone, withPool } from '../lib/database.ts'
import { logProgress } from '../lib/report.ts'
import { defineScenario, type Fault } from '../lib/scenario.ts'
import { type FleetSystem, startFleet } from '../lib/system.ts'
import { MemberReadings } from './readings.ts'

/** Two are stopped and two killed; each role must still have a process afterwards. */
const LEAST_PROCESSES = 8
const SIGN_INS = 5
const READ_MS = 1000
const REMAINING_WORK_TIMEOUT_MS = 60_000

/** Of ten processes, four have the role api, four worker and two all. */
const roleOf = (nth: number): Role => (['all', 'api', 'worker', 'api', 'worker'] as const)[nth % 5] ?? 'all'

export const drill = defineScenario({
  name: 'processes',
  describe:
    'ten processes on one database: some stop, freeze or are killed, and each piece of background work is done once',
  options: { count: 10, seconds: 10, customers: 8, seed: 1 },
  refusal: ({ count }) => (count < LEAST_PROCESSES ? `--count is ${LEAST_PROCESSES} or more` : null),

  async prepare(directory, options) {
    const fleet = await startFleet(directory, { ...options, processes: options.count })
    try {
      await startAll(fleet, options.count)
      await fleet.openShop()
    } catch (error) {
      await fleet.stop()
      throw error
    }
    const [ends, readings, problems] = [new Map<string, string>(), new MemberReadings(), [] as string[]]
    const emails = Array.from({ length: SIGN_INS }, (_, nth) => `merchant-${nth}@shop.example`)
    return { sources: fleet, ends, readings, problems, emails, stop: () => fleet.stop() }
  },

  *faults(world, { seconds }) {
    const { sources: fleet, ends, readings, problems } = world
    const during = (name: string, inject?: () => Promise<unknown>): Fault => ({
      name,
      async inject() {
        await inject?.()
        for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
          await sleep(READ_MS)
          await readAll(world)
        }
        return `${fleet.receiver.taken.size} events delivered`
      },
    })
    const alive = (role: Role): GatewayProcess => {
      const found = fleet.members.find((member) => member.role === role && !ends.has(member.name))
      if (!found) throw new Error(`No process with ROLE=${role} is left`)
      return found
    }
    const end = async (role: Role, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      const member = alive(role)
      ends.set(member.name, signal)
      await readings.read(member).catch(() => undefined)
      member.signal(signal)
      const ending = await member.ended
      if (signal === 'SIGTERM' && ending !== 0) problems.push(`${member.name} ended with ${ending}`)
      fleet.router.remove(member.name)
    }

    yield during('all')
    const frozen = alive('worker')
    yield during('one worker frozen', async () => {
      ends.set(frozen.name, 'frozen')
      frozen.signal('SIGSTOP')
    })
    yield during('two stopped, two killed', async () => {
      frozen.signal('SIGCONT')
      ends.set(frozen.name, 'frozen for a while')
      await Promise.all([end('api', 'SIGTERM'), end('worker', 'SIGTERM')])
      await Promise.all([end('api', 'SIGKILL'), end('all', 'SIGKILL')])
    })
  },

  async finish({ sources: { router }, emails }) {
    for (const email of emails) await signIn(router.url, await signUp(router.url, email))
  },

  async report(world, { traffic, findings }) {
    const { sources: fleet, ends, readings, problems, emails } = world
    const { router, members } = fleet
    await readAll(world)
    const lag = readings.longestLag
    const isKilled = ({ member }: { member: string }) => ends.get(member) === 'SIGKILL'
    return {
      figures: [
        ['processes', members.length],
        ['acknowledged payments', traffic.payments],
        ['acknowledged refunds', traffic.refunds],
        [
          'events delivered',
          `${traffic.deliveries}, and ${traffic.deliveredAgain} times again under the same id`,
        ],
        ['calls broken by a kill', router.problems.filter(isKilled).length],
        ['calls answered 503 with Retry-After', router.refusals],
        ['error lines in logs', JSON.stringify(Object.fromEntries(countErrors(members)))],
        ...findings,
        ['longest overdue round of a task', `${lag.seconds.toFixed(1)} s, ${lag.task} of ${lag.member}`],
      ],
      details: [
        '\nprocess       calls  outcomes  deliveries',
        ...members.map(({ name }) => {
          const answers = [...(router.answers.get(name)?.values() ?? [])].reduce((sum, each) => sum + each, 0)
          const { outcomes, deliveries } = readings.countsOf(name)
          const figures = [[answers, 7] as const, [outcomes, 10] as const, [deliveries, 12] as const]
          return `${name.padEnd(12)}${figures.map(([figure, width]) => String(figure).padStart(width)).join('')}  ${ends.get(name) ?? ''}`
        }),
      ],
      problems: [
        ...problems,
        ...(await remainingWork(fleet.databaseUrl)),
        ...(await mailProblems(router.url, emails)),
        ...router.problems
          .filter((problem) => !isKilled(problem))
          .map(({ member, call, answer }) => `${member}: ${call} was answered ${answer}`),
      ],
    }
  },
})

async function startAll(fleet: FleetSystem, count: number): Promise<void> {
  await (await fleet.start('all-1', 'all')).ready()
  const others = await Promise.all(
    Array.from({ length: count - 1 }, (_, nth) => {
      const role = roleOf(nth + 1)
      return fleet.start(`${role}-${nth + 2}`, role)
    }),
  )
  await Promise.all(others.map((member) => member.ready()))
  logProgress(`${count} processes are ready`)
}

interface Read {
  readonly sources: FleetSystem
  readonly ends: ReadonlyMap<string, string>
  readonly readings: MemberReadings
}

async function readAll({ sources, ends, readings }: Read): Promise<void> {
  const answering = sources.members.filter(
    (member) => member.isRunning() && ends.get(member.name) !== 'frozen',
  )
  await Promise.all(answering.map((member) => readings.read(member).catch(() => undefined)))
}

const rowsOfProblems = {
  ...unfinishedWork,
  'jobs that are left': 'select 1 from jobs',
  'callbacks that are left': 'select 1 from provider_callbacks where processed_at is null',
}

/** Background work that is unfinished or was done twice. A delivery whose response was lost is repeated after a pause. */
const remainingWork = (databaseUrl: string): Promise<string[]> =>
  withPool(databaseUrl, (pool) =>
    untilNone(
      REMAINING_WORK_TIMEOUT_MS,
      async () => {
        const problems: string[] = []
        for (const [text, statement] of Object.entries(rowsOfProblems)) {
          const { rowCount } = await pool.query(statement)
          if ((rowCount ?? 0) > 0) problems.push(`${rowCount} ${text}`)
        }
        return problems
      },
      async () => {
        await passTime(pool)
        await sleep(READ_MS)
      },
    ),
  )

/** Each merchant has signed up and signed in once, and each job is one email. */
async function mailProblems(url: string, emails: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  for (const email of emails) {
    const mails = await allMails(url, email)
    const different = new Set(mails.map(({ subject, text }) => `${subject}\n${text}`))
    if (mails.length === 0 || different.size !== mails.length)
      problems.push(`${email} received ${mails.length} emails, ${different.size} of which differ`)
  }
  return problems
}
