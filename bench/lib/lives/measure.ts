import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Gateway } from '../gateway.ts'
import { fewMerchants, type Options } from '../options.ts'
import { usePgbench } from '../pgbench.ts'
import { seedMerchants } from '../seed.ts'
import { median } from '../statistics.ts'
import { startPayers, type Wallet } from './payers.ts'
import { startWaitingPayers, type WaitingResult } from './waiting-payers.ts'
import { runWaitingRound, type WaitingRound } from './waiting-round.ts'

export interface LivesFigures {
  /** Production's shape, one of each round. */
  readonly production: readonly WaitingRound[]
  /** Per second, one of each round, of wallets that confirm at once. */
  readonly atOnce: readonly number[]
  readonly oneMerchant: readonly number[]
  readonly p0: readonly number[]
  readonly clients: { readonly lives: number; readonly p0: number }
  /** Milliseconds of a whole life whose wallet confirms at once, medians of the rounds. */
  readonly p50: number
  readonly p99: number
  readonly lived: number
}

const tpcb = 'bench_tpcb'

/** @throws when a life that was counted is not wholly in the database */
export async function measureLives(
  gateway: Gateway,
  wallet: Wallet,
  options: Options,
  log: (line: string) => void,
): Promise<LivesFigures> {
  const { seconds, rounds, merchants, pgClients, httpConnections, tpcbScale } = options
  const sql = await gateway.connect()
  const payers = startPayers()
  const waitingPayers = startWaitingPayers()
  try {
    log(`${merchants} merchants; pgbench -i at scale ${tpcbScale}`)
    const keys = await seedMerchants(gateway, sql, merchants)
    const few = keys.slice(0, fewMerchants)
    const pgbench = usePgbench(gateway.database, gateway.directory)
    await sql.query(`create database ${tpcb}`)
    await pgbench.initialise(tpcbScale, tpcb)
    const lived: WaitingResult = { paid: 0, refused: 0, refunded: 0 }
    const atOnce = async (connections: number, length: number, from = few) => {
      const result = await payers.run({ port: gateway.port, keys: from, connections, seconds: length })
      lived.paid += result.lived
      return result
    }
    const production = async () => {
      const round = await runWaitingRound(gateway, sql, { wallet, payers: waitingPayers }, keys, {
        payers: { connections: Math.max(...httpConnections), waiting: options.waiting },
        seconds: options.livesSeconds,
        faster: options.faster,
        lost: options.lost,
      })
      lived.paid += round.result.paid
      lived.refused += round.result.refused
      lived.refunded += round.result.refunded
      return round
    }

    log('warming up, and looking for the best number of clients')
    await atOnce(64, seconds)
    const best = async (counts: readonly number[], rate: (count: number) => Promise<number>) => {
      const rates: { count: number; rate: number }[] = []
      for (const count of counts) rates.push({ count, rate: await rate(count) })
      return rates.reduce((most, each) => (each.rate > most.rate ? each : most)).count
    }
    const clients = {
      lives: await best(
        httpConnections,
        async (count) => (await atOnce(count, Math.min(1, seconds))).perSecond,
      ),
      p0: await best(pgClients, (count) => pgbench.tpcb(count, Math.min(1, seconds), tpcb)),
    }

    const figures: WaitingRound[] = []
    const [quickLives, oneMerchant, p0]: [number[], number[], number[]] = [[], [], []]
    const took: { p50: number; p99: number }[] = []
    for (let round = 1; round <= rounds; round += 1) {
      log(`round ${round} of ${rounds}`)
      figures.push(await production())
      p0.push(await pgbench.tpcb(clients.p0, seconds, tpcb))
      const result = await atOnce(clients.lives, seconds)
      quickLives.push(result.perSecond)
      took.push(result)
      oneMerchant.push((await atOnce(clients.lives, seconds, keys.slice(0, 1))).perSecond)
    }
    await allThere(sql, lived)
    return {
      production: figures,
      atOnce: quickLives,
      oneMerchant,
      p0,
      clients,
      p50: median(took.map(({ p50 }) => p50)),
      p99: median(took.map(({ p99 }) => p99)),
      lived: lived.paid + lived.refused,
    }
  } finally {
    payers.stop()
    waitingPayers.stop()
    await sql.end()
  }
}

/** Each paid life: a completed payment, its money in the ledger once, and its event. Each refund: completed, and booked. */
async function allThere(sql: pg.Client, lived: WaitingResult): Promise<void> {
  const { paid, refused, refunded } = lived
  const expected = { paid, captures: paid, events: paid, refused, refunded, booked: refunded }
  const giveUpAt = Date.now() + 10_000
  for (;;) {
    const { rows } = await sql.query<typeof expected>(
      `select (select count(*)::int from payments where status in ('completed', 'refunded')) as paid,
         (select count(*)::int from ledger_transfers where kind = 'capture') as captures,
         (select count(*)::int from events where type = 'payment.completed') as events,
         (select count(*)::int from payment_attempts where status = 'failed') as refused,
         (select count(*)::int from refunds where status = 'completed') as refunded,
         (select count(*)::int from payments where status = 'refunded') as booked`,
    )
    const found = JSON.stringify(rows[0])
    if (found === JSON.stringify(expected)) return
    if (Date.now() > giveUpAt)
      throw new Error(`lives: ${JSON.stringify(expected)}, but the database has ${found}`)
    await sleep(200)
  }
}
