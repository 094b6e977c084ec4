import { setTimeout as sleep } from 'node:timers/promises'
import { countErrors, type Role } from '@muripo/rig/fleet'
import type { GatewayProcess } from '@muripo/rig/gateway'
import { allMails } from '@muripo/rig/mailbox'
import { signIn, signUp } from '@muripo/rig/merchant'
import type { Finding } from '../lib/compare.ts'
import { passTime, unfinishedWork, untilNone, withPool } from '../lib/database.ts'

import { conclude, inspect } from '../lib/inspect.ts'
import { countFindings, type DrillReport, logProgress } from '../lib/report.ts'
import { countTraffic, type FleetSystem, startFleet } from '../lib/system.ts'
import { type Lag, MemberReadings } from './readings.ts'

interface ProcessesOptions {
  readonly count: number
  readonly seconds: number
  readonly customers: number
  readonly seed: number
}

const SIGN_INS = 5
const READ_MS = 1000
const REMAINING_WORK_TIMEOUT_MS = 60_000

/** Of ten processes, four have the role api, four worker and two all. */
const roleOf = (nth: number): Role => (['all', 'api', 'worker', 'api', 'worker'] as const)[nth % 5] ?? 'all'

/** Runs many processes on one database while customers pay. Some stop, are frozen or are killed. Then all records are compared. */
export async function runProcesses(directory: string, options: ProcessesOptions): Promise<DrillReport> {
  const fleet = await startFleet(directory, { ...options, processes: options.count })
  try {
    return await new ProcessesRun(fleet, options).run()
  } finally {
    await fleet.stop()
  }
}

class ProcessesRun {
  private readonly fleet: FleetSystem
  private readonly options: ProcessesOptions
  private readonly ends = new Map<string, string>()
  private readonly readings = new MemberReadings()
  private readonly findings: Finding[] = []
  private readonly problems: string[] = []

  constructor(fleet: FleetSystem, options: ProcessesOptions) {
    this.fleet = fleet
    this.options = options
  }

  async run(): Promise<DrillReport> {
    const { fleet, findings, problems } = this
    await this.startAll()
    await fleet.openShop()
    await this.load('all')
    await this.freezeWorker()
    await Promise.all([this.end('api', 'SIGTERM'), this.end('worker', 'SIGTERM')])
    await Promise.all([this.end('api', 'SIGKILL'), this.end('all', 'SIGKILL')])
    await this.load('two stopped, two killed')

    const emails = Array.from({ length: SIGN_INS }, (_, nth) => `merchant-${nth}@shop.example`)
    for (const email of emails) await signIn(fleet.router.url, await signUp(fleet.router.url, email))
    findings.push(...(await conclude(fleet)))
    await this.readAll()
    problems.push(...(await remainingWork(fleet.databaseUrl)), ...(await mailProblems(fleet, emails)))
    for (const { member, call, answer } of fleet.router.problems)
      if (this.ends.get(member) !== 'SIGKILL') problems.push(`${member}: ${call} was answered ${answer}`)
    return {
      figures: await this.figures(this.readings.longestLag),
      details: [
        '\nprocess       calls  outcomes  deliveries',
        ...fleet.members.map((member) => this.shareOf(member)),
      ],
      findings,
      problems,
    }
  }

  private async startAll(): Promise<void> {
    const { fleet, options } = this
    const first = await fleet.start('all-1', 'all')
    await first.ready()
    const others = await Promise.all(
      Array.from({ length: options.count - 1 }, (_, nth) => {
        const role = roleOf(nth + 1)
        return fleet.start(`${role}-${nth + 2}`, role)
      }),
    )
    await Promise.all(others.map((member) => member.ready()))
    logProgress(`${options.count} processes are ready`)
  }

  /** Lets the customers pay for a time, and compares all records. */
  private async load(name: string): Promise<void> {
    const { fleet, options } = this
    const until = performance.now() + options.seconds * 1000
    while (performance.now() < until) {
      await sleep(READ_MS)
      await this.readAll()
    }
    const found = await inspect(fleet)
    logProgress(
      `${name}: ${fleet.shop.orders.length} orders, ${fleet.receiver.taken.size} events delivered, ${found.length} findings`,
    )
    this.findings.push(...found)
  }

  private async freezeWorker(): Promise<void> {
    const frozen = this.alive('worker')
    this.ends.set(frozen.name, 'frozen')
    frozen.signal('SIGSTOP')
    await this.load('one worker frozen')
    frozen.signal('SIGCONT')
    this.ends.set(frozen.name, 'frozen for a while')
  }

  private async readAll(): Promise<void> {
    const answering = this.fleet.members.filter(
      (member) => member.isRunning() && this.ends.get(member.name) !== 'frozen',
    )
    await Promise.all(answering.map((member) => this.readings.read(member).catch(() => undefined)))
  }

  private alive(role: Role): GatewayProcess {
    const found = this.fleet.members.find((member) => member.role === role && !this.ends.has(member.name))
    if (!found) throw new Error(`No process with ROLE=${role} is left`)
    return found
  }

  private async end(role: Role, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const member = this.alive(role)
    this.ends.set(member.name, signal)
    await this.readings.read(member).catch(() => undefined)
    member.signal(signal)
    const ending = await member.ended
    if (signal === 'SIGTERM' && ending !== 0) this.problems.push(`${member.name} ended with ${ending}`)
    this.fleet.router.remove(member.name)
  }

  private async figures(lag: Lag): Promise<DrillReport['figures']> {
    const { router, members } = this.fleet
    const { payments, refunds, deliveries, deliveredAgain } = await countTraffic(this.fleet)
    const broken = router.problems.filter(({ member }) => this.ends.get(member) === 'SIGKILL')
    return [
      ['processes', this.options.count],
      ['acknowledged payments', payments],
      ['acknowledged refunds', refunds],
      ['events delivered', `${deliveries}, and ${deliveredAgain} times again under the same id`],
      ['calls broken by a kill', broken.length],
      ['calls answered 503 with Retry-After', router.refusals],
      ['error lines in logs', JSON.stringify(Object.fromEntries(countErrors(members)))],
      ...countFindings(this.findings),
      ['longest overdue round of a task', `${lag.seconds.toFixed(1)} s, ${lag.task} of ${lag.member}`],
    ]
  }

  /** The calls, recorded outcomes and deliveries of a process, and its end. */
  private shareOf({ name }: GatewayProcess): string {
    const counts = [...(this.fleet.router.answers.get(name)?.values() ?? [])]
    const answers = counts.reduce((sum, each) => sum + each, 0)
    const { outcomes, deliveries } = this.readings.countsOf(name)
    const figures = [[answers, 7] as const, [outcomes, 10] as const, [deliveries, 12] as const]
    return `${name.padEnd(12)}${figures.map(([figure, width]) => String(figure).padStart(width)).join('')}  ${this.ends.get(name) ?? ''}`
  }
}

const rowsOfProblems = {
  ...unfinishedWork,
  'jobs that are left': 'select 1 from graphile_worker._private_jobs',
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
async function mailProblems({ router }: FleetSystem, emails: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  for (const email of emails) {
    const mails = await allMails(router.url, email)
    const different = new Set(mails.map(({ subject, text }) => `${subject}\n${text}`))
    if (mails.length === 0 || different.size !== mails.length)
      problems.push(`${email} received ${mails.length} emails, ${different.size} of which differ`)
  }
  return problems
}
