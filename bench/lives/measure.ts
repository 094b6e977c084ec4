import { setTimeout as sleep } from 'node:timers/promises'
import { type Sessions, sumOfGroups } from '../../scripts/lib/citus/sessions.ts'
import { createPayment } from '../creates/recording.ts'
import { describeConditions } from '../lib/conditions.ts'
import type { Gateway, Run } from '../lib/gateway.ts'
import { startGenerator } from '../lib/generator.ts'
import { bareRequests, startHttpOnly } from '../lib/http-only.ts'
import { insertHistory } from '../lib/many-payments.ts'
import { fewMerchants, type Options } from '../lib/options.ts'
import { Pgbench } from '../lib/pgbench.ts'
import { seedMerchants } from '../lib/seed.ts'
import { bestCount, median } from '../lib/statistics.ts'
import { type LivesResult, type Payers, startPayers, type WaitingResult } from './payers.ts'
import { runWaitingRound, type WaitingRound } from './waiting-round.ts'
import type { Wallet } from './wallet.ts'

export interface LivesFigures {
  readonly conditions: string
  /** Production's shape, one of each round. */
  readonly production: readonly WaitingRound[]
  /** Per second, one of each round, of wallets that confirm at once. */
  readonly atOnce: readonly number[]
  readonly oneMerchant: readonly number[]
  readonly tpcb: readonly number[]
  /** Processor seconds of one bare request, median of the rounds. */
  readonly bareRequest: number
  readonly clients: { readonly lives: number; readonly tpcb: number }
  /** Milliseconds of a whole life whose wallet confirms at once, medians of the rounds. */
  readonly p50: number
  readonly p99: number
  readonly lived: number
}

/** @throws when a counted life is not completely in the database */
export async function measureLives({ gateway, wallet, options, log }: Run): Promise<LivesFigures> {
  const { rounds, merchants, payments, tpcbScale } = options
  const sessions = await gateway.connectToNodes()
  const { sql } = sessions
  const payers = startPayers()
  const generator = startGenerator()
  let stopBare = () => {}
  try {
    log(`${merchants} merchants; pgbench -i at scale ${tpcbScale}`)
    const keys = await seedMerchants(gateway, sessions, merchants)
    if (payments > 0) await insertHistory(gateway, sql, payments, log)
    const httpOnly = await startHttpOnly(await createPayment(gateway, keys[0] ?? ''))
    stopBare = httpOnly.stop
    const bare = () => bareRequests(httpOnly, generator, { keys, connections: 64, seconds: options.seconds })
    await bare()
    const earlier = await countLives(sessions)
    const conditions = await describeConditions(sessions, options)
    const pgbench = new Pgbench(gateway.database, gateway.directory)
    const tpcbDatabase = await pgbench.initialise(tpcbScale, sql)
    const loads = new Loads({ gateway, sessions, options, keys, wallet, payers })
    const tpcb = (clients: number, seconds: number) => pgbench.tpcb(clients, seconds, tpcbDatabase)

    log('warming up, and looking for the best number of clients')
    await loads.atOnce(64, options.seconds)
    const clients = await bestClients(loads, tpcb, options)
    const measured: Round[] = []
    for (let round = 1; round <= rounds; round += 1) {
      log(`round ${round} of ${rounds}`)
      measured.push({
        production: await loads.production(),
        bareRequest: (await bare()).cpu,
        tpcb: await tpcb(clients.tpcb, options.seconds),
        atOnce: await loads.atOnce(clients.lives, options.seconds),
        oneMerchant: await loads.oneMerchant(clients.lives, options.seconds),
      })
    }
    await expectAll(sessions, earlier, loads.lived)
    return {
      conditions,
      production: measured.map(({ production }) => production),
      atOnce: measured.map(({ atOnce }) => atOnce.perSecond),
      oneMerchant: measured.map(({ oneMerchant }) => oneMerchant.perSecond),
      tpcb: measured.map((round) => round.tpcb),
      bareRequest: median(measured.map(({ bareRequest }) => bareRequest)),
      clients,
      p50: median(measured.map(({ atOnce }) => atOnce.p50)),
      p99: median(measured.map(({ atOnce }) => atOnce.p99)),
      lived: loads.lived.paid + loads.lived.refused,
    }
  } finally {
    payers.stop()
    generator.stop()
    stopBare()
    await sessions.end()
  }
}

interface Round {
  readonly production: WaitingRound
  readonly bareRequest: number
  readonly tpcb: number
  readonly atOnce: LivesResult
  readonly oneMerchant: LivesResult
}

async function bestClients(
  loads: Loads,
  tpcb: (clients: number, seconds: number) => Promise<number>,
  { httpConnections, pgClients, seconds }: Options,
): Promise<LivesFigures['clients']> {
  const length = Math.min(1, seconds)
  return {
    lives: await bestCount(httpConnections, async (count) => (await loads.atOnce(count, length)).perSecond),
    tpcb: await bestCount(pgClients, (count) => tpcb(count, length)),
  }
}

interface Prepared {
  readonly gateway: Gateway
  readonly sessions: Sessions
  readonly options: Options
  readonly keys: readonly string[]
  readonly wallet: Wallet
  readonly payers: Payers
}

/** The loads of lives, each for one round, and the number of lives so far. */
class Loads {
  readonly lived: WaitingResult = { paid: 0, refused: 0, refunded: 0 }
  private readonly prepared: Prepared

  constructor(prepared: Prepared) {
    this.prepared = prepared
  }

  /** Wallets confirm at once. */
  atOnce(connections: number, seconds: number): Promise<LivesResult> {
    return this.run(this.prepared.keys.slice(0, fewMerchants), connections, seconds)
  }

  oneMerchant(connections: number, seconds: number): Promise<LivesResult> {
    return this.run(this.prepared.keys.slice(0, 1), connections, seconds)
  }

  /** The shape of production: payers wait for their wallet. */
  async production(): Promise<WaitingRound> {
    const { gateway, sessions, options, keys, wallet, payers } = this.prepared
    const round = await runWaitingRound(gateway, sessions, { wallet, payers }, keys, {
      payers: { connections: Math.max(...options.httpConnections), waiting: options.waiting },
      seconds: options.livesSeconds,
      faster: options.faster,
      lost: options.lost,
    })
    this.lived.paid += round.result.paid
    this.lived.refused += round.result.refused
    this.lived.refunded += round.result.refunded
    return round
  }

  private async run(keys: readonly string[], connections: number, seconds: number): Promise<LivesResult> {
    const { gateway, payers } = this.prepared
    const result = await payers.live({ ports: gateway.ports, keys, connections, seconds })
    this.lived.paid += result.lived
    return result
  }
}

/** The rows of lives, by kind. */
const counts = {
  paid: "payments where status in ('completed', 'refunded')",
  captures: "ledger_transfers where kind = 'capture'",
  events: "events where type = 'payment.completed'",
  refused: "payment_attempts where status = 'failed'",
  refunded: "refunds where status = 'completed'",
  booked: "payments where status = 'refunded'",
}
type Counts = Readonly<Record<keyof typeof counts, number>>

function countLives(sessions: Sessions): Promise<Counts> {
  const columns = Object.entries(counts).map(
    ([kind, rows]) => `(select count(*)::int from ${rows}) as ${kind}`,
  )
  return sumOfGroups<Counts>(sessions, `select ${columns.join(', ')}`)
}

/** Expects for each paid life a completed payment, one capture in the ledger and one event, and each refund completed and booked. */
async function expectAll(sessions: Sessions, earlier: Counts, lived: WaitingResult): Promise<void> {
  const { paid, refused, refunded } = lived
  const made: Counts = { paid, captures: paid, events: paid, refused, refunded, booked: refunded }
  const kinds = Object.keys(counts) as (keyof Counts)[]
  const giveUpAt = Date.now() + 10_000
  for (;;) {
    const isLast = Date.now() > giveUpAt
    const found = await countLives(sessions)
    if (kinds.every((kind) => found[kind] - earlier[kind] === made[kind])) return
    if (isLast)
      throw new Error(
        `lives: ${JSON.stringify(made)} after ${JSON.stringify(earlier)}, but the database has ${JSON.stringify(found)}`,
      )
    await sleep(200)
  }
}
