import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inEachGroup, type Sessions } from '../../scripts/lib/citus/sessions.ts'
import type { Gateway } from '../lib/gateway.ts'
import { cpuBetween, cpuUsage, processCpu, residentMb, shareOfOthers } from '../lib/meter.ts'
import { median, percentile } from '../lib/statistics.ts'
import type { Payers, WaitingPayers, WaitingResult } from './payers.ts'
import type { EndedCharge, Wallet } from './wallet.ts'

/** The time from the commit of an outcome is a commit timestamp. */
export const livesSettings = { track_commit_timestamp: 'on' }

export interface WaitingRound {
  readonly perSecond: number
  /** Milliseconds from a callback to the commit of its outcome. */
  readonly delay: Readonly<Record<'p50' | 'p95' | 'p99', number>>
  /** Seconds by which the most overdue look-up is behind its schedule: median and maximum. */
  readonly late: Readonly<Record<'median' | 'longest', number>>
  readonly lookupsPerLife: number
  readonly walBytesPerLife: number
  /** Payments whose wallet has not decided, or whose result the gateway has not read. */
  readonly waiting: number
  /** Processor seconds of one life. */
  readonly cpu: Readonly<Record<Part, number>>
  /** Processor time of other processes, as a share of the machine. */
  readonly others: number
  readonly memoryMb: number
  /** False when a server does not track the times of commits: an outcome then has the time of its change. */
  readonly hasCommitTimes: boolean
  readonly result: WaitingResult
}

type Part = 'gateway' | 'postgres' | 'payers' | 'wallet'

export interface RoundOptions {
  readonly payers: Omit<WaitingPayers, 'ports' | 'keys' | 'meanWaitMs' | 'refundedShare'>
  readonly seconds: number
  readonly faster: number
  readonly lost: number
}

const LEAST_WAIT_MS = 10_000
const MOST_WAIT_MS = 30_000
const REFUSED = 0.05
const REFUNDED = 0.02
/** The first payments begin evenly over the mean wait. After this multiple of the longest wait, payments of all ages exist. */
const WARM_UP_WAITS = 1.5
const SAMPLE_MS = 250
/** The end of a round takes the longest wait, and longer only when look-ups are far behind. */
const END_TIMEOUT_MS = 300_000

/** The processes of a round beside the gateway. */
interface Outside {
  readonly wallet: Wallet
  readonly payers: Payers
}

/** One round: warm-up, measurement, and the end of all payments that have begun. */
export async function runWaitingRound(
  gateway: Gateway,
  sessions: Sessions,
  outside: Outside,
  keys: readonly string[],
  options: RoundOptions,
): Promise<WaitingRound> {
  const { wallet, payers } = outside
  const [leastMs, mostMs] = [LEAST_WAIT_MS / options.faster, MOST_WAIT_MS / options.faster]
  const ended: EndedCharge[] = []
  await wallet.behave({ leastMs, mostMs, refused: REFUSED, lost: options.lost })
  wallet.onEnded((charges) => {
    payers.ended(charges)
    ended.push(...charges)
  })
  const round = payers.begin({
    ...options.payers,
    ports: gateway.ports,
    keys,
    meanWaitMs: (leastMs + mostMs) / 2,
    refundedShare: REFUNDED,
  })
  const failed = round.then(() => Promise.reject<never>(new Error('the payers ended early')))
  failed.catch(() => undefined)
  await Promise.race([sleep(mostMs * WARM_UP_WAITS), failed])

  const before = await stateOf(gateway, sessions, outside)
  const until = before.at + options.seconds * 1000
  const overdue = await Promise.race([sampleOverdue(sessions, until), failed])
  const after = await stateOf(gateway, sessions, outside)
  const memoryMb = residentMb(...gateway.pids)

  payers.end()
  const timeout = sleep(END_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error('the payments of a round do not end')
  })
  const result = await Promise.race([round, timeout])
  await wallet.behave(null)

  const hasCommitTimes = await tracksCommitTimes(sessions)
  const committed = await commitTimes(sessions, ended, hasCommitTimes)
  const measured = committed.filter(({ at }) => at >= before.at && at < after.at)
  return {
    ...figuresOf(
      before,
      after,
      measured.map(({ delayMs }) => delayMs),
    ),
    late: { median: median(overdue), longest: Math.max(...overdue) },
    memoryMb,
    hasCommitTimes,
    result,
  }
}

type State = Awaited<ReturnType<typeof stateOf>>

/** The counters at one moment. */
const stateOf = async (gateway: Gateway, sessions: Sessions, { wallet, payers }: Outside) => ({
  at: Date.now(),
  cpu: cpuUsage(gateway),
  payersCpu: processCpu(payers.pid),
  walletCpu: processCpu(wallet.pid),
  wal: await walPosition(sessions),
  ...(await wallet.counts()),
})

/** @param delays of the lives that were committed between the two moments, in milliseconds */
function figuresOf(before: State, after: State, delays: readonly number[]) {
  const lives = delays.length
  const used = cpuBetween(before.cpu, after.cpu)
  const payers = after.payersCpu - before.payersCpu
  const wallet = after.walletCpu - before.walletCpu
  return {
    perSecond: (lives * 1000) / (after.at - before.at),
    delay: { p50: percentile(delays, 0.5), p95: percentile(delays, 0.95), p99: percentile(delays, 0.99) },
    lookupsPerLife: (after.lookups - before.lookups) / lives,
    walBytesPerLife: (after.wal - before.wal) / lives,
    waiting: after.waiting,
    cpu: {
      gateway: used.gateway / lives,
      postgres: used.postgres / lives,
      payers: payers / lives,
      wallet: wallet / lives,
    },
    others: shareOfOthers(used, payers + wallet),
  }
}

/** The sum of the WAL positions of all nodes. */
async function walPosition({ nodes }: Sessions): Promise<number> {
  const positions = await Promise.all(
    nodes.map(async (sql) => {
      const { rows } = await sql.query<{ bytes: string }>(
        "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes",
      )
      return Number(rows[0]?.bytes)
    }),
  )
  return positions.reduce((sum, position) => sum + position, 0)
}

async function tracksCommitTimes({ nodes }: Sessions): Promise<boolean> {
  const settings = await Promise.all(
    nodes.map((sql) =>
      sql.query<{ value: string }>("select current_setting('track_commit_timestamp') as value"),
    ),
  )
  return settings.every(({ rows }) => rows[0]?.value === 'on')
}

/** Samples, until a time, the seconds by which the most overdue look-up is behind its schedule. */
async function sampleOverdue(sessions: Sessions, until: number): Promise<number[]> {
  const samples: number[] = []
  while (Date.now() < until) {
    const rows = await inEachGroup<{ seconds: number }>(
      sessions,
      `select coalesce(extract(epoch from clock_timestamp() - min(next_check_at)), 0)::float8 as seconds
       from payment_attempts where index_due_at <= clock_timestamp() and next_check_at <= clock_timestamp()`,
    )
    samples.push(Math.max(...rows.flat().map(({ seconds }) => seconds)))
    await sleep(SAMPLE_MS)
  }
  return samples
}

/** The times of the commits of all outcomes, and their delays after the callbacks. @throws when an outcome is missing */
async function commitTimes(
  { groups }: Sessions,
  ended: readonly EndedCharge[],
  hasCommitTimes: boolean,
): Promise<{ at: number; delayMs: number }[]> {
  const giveUpAt = Date.now() + 10_000
  const time = hasCommitTimes ? 'pg_xact_commit_timestamp(a.xmin)' : 'a.updated_at'
  const given = [ended.map(({ msisdn }) => msisdn), ended.map(({ decidedAt }) => decidedAt)]
  for (;;) {
    const found = await Promise.all(
      groups.each.map(async (sql) => {
        const { rows } = await sql.query<{ at: number; delayMs: number }>(
          `select at, at - "decidedAt" as "delayMs" from (
             select (extract(epoch from ${time}) * 1000)::float8 as at, "decidedAt"
             from unnest($1::text[], $2::float8[]) as ended (msisdn, "decidedAt")
             join ${await attemptsTable(sql)} a using (msisdn) where a.status in ('completed', 'failed')
           ) as committed`,
          given,
        )
        return rows
      }),
    )
    const rows = found.flat()
    if (rows.length === ended.length) return rows
    if (Date.now() > giveUpAt)
      throw new Error(`${ended.length} payments ended, ${rows.length} in the database`)
    await sleep(200)
  }
}

/** The table of the attempts. In a shard group their name is that of a view, whose rows have no transaction id. */
async function attemptsTable(sql: pg.Client): Promise<string> {
  const { rows } = await sql.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name
     from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
     join pg_class c on d.refclassid = 'pg_class'::regclass and c.oid = d.refobjid and c.relkind = 'r'
     join pg_namespace n on n.oid = c.relnamespace
     where r.ev_class = 'payment_attempts'::regclass`,
  )
  return rows[0]?.name ?? 'payment_attempts'
}
