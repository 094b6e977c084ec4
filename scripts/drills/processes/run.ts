import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '../../../apps/server/src/platform/db/database.ts'
import { signIn, signUp } from '../../../bench/lib/seed.ts'
import { compare, type Finding } from '../../lib/drill/compare.ts'
import { type Fleet, openFleet } from '../../lib/drill/fleet.ts'
import type { Member, Role } from '../../lib/drill/member.ts'
import { finish, inspect } from '../../lib/drill/run.ts'
import { passTime } from '../../lib/drill/snapshot.ts'
import { repository } from '../../lib/repository.ts'

export interface ProcessesOptions {
  readonly count: number
  readonly seconds: number
  readonly customers: number
  readonly seed: number
  readonly log: (line: string) => void
}

export interface ProcessesReport {
  readonly figures: readonly (readonly [name: string, value: string])[]
  /** One line for each process. */
  readonly shares: readonly Share[]
  readonly findings: readonly Finding[]
  readonly problems: readonly string[]
  readonly directory: string
}

interface Share {
  readonly name: string
  readonly end: string
  readonly answers: number
  /** Outcomes of attempts that this process has recorded. */
  readonly outcomes: number
  readonly deliveries: number
}

interface Reading {
  readonly outcomes: number
  readonly deliveries: number
  readonly lags: readonly { readonly task: string; readonly seconds: number }[]
}

const DRAIN_SECONDS = 2
const SIGN_INS = 5
const READ_MS = 1000
const REMAINING_WORK_TIMEOUT_MS = 60_000

/** Four of ten serve, four work, two do both. */
const roleOf = (nth: number): Role => (['all', 'api', 'worker', 'api', 'worker'] as const)[nth % 5] ?? 'all'

/** Many processes on one database while customers pay; some stop, are frozen or are killed. Then all records are compared. */
export async function runProcesses(options: ProcessesOptions): Promise<ProcessesReport> {
  const { count, seconds, log } = options
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-processes-'))
  // The account of the database passes through.
  await chmod(directory, 0o711)
  let isClean = false
  const fleet = await openFleet(directory, { ...options, processes: count, drainSeconds: DRAIN_SECONDS })
  const ends = new Map<string, string>()
  const readings = new Map<string, Reading>()
  let longestLag: Reading['lags'][number] & { readonly member: string } = { task: '', seconds: 0, member: '' }

  /** A process that has ended keeps its last reading. */
  const read = async (member: Member): Promise<void> => {
    const reading = readingOf(await member.metrics())
    readings.set(member.name, reading)
    for (const lag of reading.lags)
      if (lag.seconds > longestLag.seconds) longestLag = { ...lag, member: member.name }
  }
  const readAll = () =>
    Promise.all(
      fleet.members
        .filter((member) => member.isRunning() && ends.get(member.name) !== 'frozen')
        .map((member) => read(member).catch(() => undefined)),
    )
  async function load(name: string): Promise<Finding[]> {
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) {
      await sleep(READ_MS)
      await readAll()
    }
    const found = await inspect(fleet, compare)
    log(
      `${name}: ${fleet.shop.orders.length} orders, ${fleet.receiver.taken.size} events delivered, ${found.length} findings`,
    )
    return found
  }
  const alive = (role: Role) => {
    const found = fleet.members.find((member) => member.role === role && !ends.has(member.name))
    if (!found) throw new Error(`No process with ROLE=${role} is left`)
    return found
  }
  async function end(member: Member, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await read(member).catch(() => undefined)
    ends.set(member.name, signal)
    member.signal(signal)
    const { code } = await member.ended
    if (signal === 'SIGTERM' && code !== 0) problems.push(`${member.name} ended with ${code}`)
    fleet.router.remove(member.name)
  }

  const problems: string[] = []
  try {
    const first = await fleet.start('all-1', 'all', repository)
    await first.ready()
    const others = await Promise.all(
      Array.from({ length: count - 1 }, (_, nth) => {
        const role = roleOf(nth + 1)
        return fleet.start(`${role}-${nth + 2}`, role, repository)
      }),
    )
    await Promise.all(others.map((member) => member.ready()))
    log(`${count} processes are ready`)
    await fleet.openShop()
    const findings = await load('all')

    const frozen = alive('worker')
    ends.set(frozen.name, 'frozen')
    frozen.signal('SIGSTOP')
    findings.push(...(await load('one worker frozen')))
    frozen.signal('SIGCONT')
    ends.set(frozen.name, 'frozen for a while')

    await Promise.all([end(alive('api'), 'SIGTERM'), end(alive('worker'), 'SIGTERM')])
    await Promise.all([end(alive('api'), 'SIGKILL'), end(alive('all'), 'SIGKILL')])
    findings.push(...(await load('two stopped, two killed')))

    const emails = Array.from({ length: SIGN_INS }, (_, nth) => `merchant-${nth}@shop.example`)
    for (const email of emails) await signIn(fleet.router.url, await signUp(fleet.router.url, email))
    findings.push(...(await finish(fleet, log)))
    await readAll()
    findings.push(...fleet.shop.wrong.map((text) => ({ kind: 'half done', text }) as const))

    problems.push(...(await remainingWork(fleet)), ...(await mailProblems(fleet, emails)))
    for (const { member, call, answer } of fleet.router.problems)
      if (ends.get(member) !== 'SIGKILL') problems.push(`${member}: ${call} was answered ${answer}`)
    isClean = findings.length === 0 && problems.length === 0
    return {
      figures: [
        ['processes', String(count)],
        ...figuresOf(fleet, findings, ends),
        [
          'longest overdue round of a task',
          `${longestLag.seconds.toFixed(1)} s, ${longestLag.task} of ${longestLag.member}`,
        ],
      ],
      shares: fleet.members.map((member) => shareOf(fleet, member, ends, readings)),
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
  { shop, receiver, router, errorsLogged }: Fleet,
  findings: readonly Finding[],
  ends: ReadonlyMap<string, string>,
): ProcessesReport['figures'] {
  const acknowledged = (all: readonly { readonly answered: string | null }[]) =>
    String(all.filter(({ answered }) => answered !== null).length)
  const taken = [...receiver.taken.values()]
  const repeated = taken.reduce((sum, { times }) => sum + times - 1, 0)
  const broken = router.problems.filter(({ member }) => ends.get(member) === 'SIGKILL')
  const kindOf = (kind: Finding['kind']) => String(findings.filter((each) => each.kind === kind).length)
  return [
    ['acknowledged payments', acknowledged(shop.orders)],
    ['acknowledged refunds', acknowledged(shop.refunds)],
    ['events delivered', `${taken.length}, and ${repeated} times again under the same id`],
    ['calls broken by a kill', String(broken.length)],
    ['calls answered 503 with Retry-After', String(router.refusals)],
    ['error lines in logs', JSON.stringify(Object.fromEntries(errorsLogged()))],
    ['lost', kindOf('lost')],
    ['duplicated', kindOf('duplicated')],
    ['half done', kindOf('half done')],
    ['unresolved', kindOf('unresolved')],
  ]
}

function shareOf(
  { router }: Fleet,
  { name }: Member,
  ends: ReadonlyMap<string, string>,
  readings: ReadonlyMap<string, Reading>,
): Share {
  const answers = [...(router.answers.get(name)?.values() ?? [])].reduce((sum, each) => sum + each, 0)
  const { outcomes = 0, deliveries = 0 } = readings.get(name) ?? {}
  return { name, end: ends.get(name) ?? '', answers, outcomes, deliveries }
}

const sample = /^(\w+)\{(.*)\} (\S+)$/gm

function readingOf(text: string): Reading {
  const samples = [...text.matchAll(sample)].map(([, name = '', labels = '', value = '']) => ({
    name,
    labels,
    value: Number(value),
  }))
  const sum = (name: string) =>
    samples.filter((each) => each.name === name).reduce((total, { value }) => total + value, 0)
  return {
    outcomes: sum('muripo_payments_total'),
    deliveries: sum('muripo_webhook_attempts_total'),
    lags: samples
      .filter(({ name }) => name === 'muripo_task_lag_seconds')
      .map(({ labels, value }) => ({ task: /task="([^"]*)"/.exec(labels)?.[1] ?? labels, seconds: value })),
  }
}

/** Background work that is not done, or done twice, counted in rows. A delivery whose response was lost is repeated after a pause. */
async function remainingWork({ watched }: Fleet): Promise<string[]> {
  const pool = createPool(watched.databaseUrl(), { maxConnections: 1 })
  try {
    const giveUpAt = performance.now() + REMAINING_WORK_TIMEOUT_MS
    for (;;) {
      const problems: string[] = []
      for (const [text, statement] of rowsOfProblems) {
        const { rowCount } = await pool.query(statement)
        if ((rowCount ?? 0) > 0) problems.push(`${rowCount} ${text}`)
      }
      if (problems.length === 0 || performance.now() > giveUpAt) return problems
      await passTime(pool)
      await sleep(READ_MS)
    }
  } finally {
    await pool.end()
  }
}

const rowsOfProblems: readonly (readonly [text: string, statement: string])[] = [
  [
    'events without exactly one delivery',
    `select id from events left join webhook_deliveries on event_id = id group by id having count(event_id) <> 1`,
  ],
  ['events that wait for the relay', 'select 1 from events_to_relay'],
  ['deliveries that are not delivered', `select 1 from webhook_deliveries where status <> 'delivered'`],
  ['totals that differ from the payments', 'select 1 from payment_figures_drift'],
  ['payments that differ from the ledger', 'select 1 from payment_ledger_drift'],
  ['jobs that are left', 'select 1 from graphile_worker._private_jobs'],
  ['callbacks that are left', 'select 1 from provider_callbacks where processed_at is null'],
]

/** Each merchant has signed up and signed in once, and each job is one email. */
async function mailProblems({ router }: Fleet, emails: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  for (const email of emails) {
    const answer = await fetch(`${router.url}/dev/mailbox/messages?to=${email}`)
    const mails = (await answer.json()) as { subject: string; text: string }[]
    const different = new Set(mails.map(({ subject, text }) => `${subject}\n${text}`))
    if (mails.length === 0 || different.size !== mails.length)
      problems.push(`${email} received ${mails.length} emails, ${different.size} of which differ`)
  }
  return problems
}
