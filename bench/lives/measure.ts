import { setTimeout as sleep } from 'node:timers/promises'
import { type Sessions, sumOfGroups } from '../../scripts/lib/citus/sessions.ts'
import { bestCount } from '../lib/best-count.ts'
import { describeConditions } from '../lib/conditions.ts'
import type { Gateway } from '../lib/gateway.ts'
import { insertHistory } from '../lib/many-payments.ts'
import { fewMerchants, type Options } from '../lib/options.ts'
import { usePgbench } from '../lib/pgbench.ts'
import { seedMerchants } from '../lib/seed.ts'
import { median } from '../lib/statistics.ts'
import { startPayers, type Wallet } from './payers.ts'
import { startWaitingPayers, type WaitingResult } from './waiting-payers.ts'
import { runWaitingRound, type WaitingRound } from './waiting-round.ts'

export interface LivesFigures {
  readonly conditions: string
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

/** @throws when a life that was counted is not wholly in the database */
export async function measureLives(
  gateway: Gateway,
  wallet: Wallet,
  options: Options,
  log: (line: string) => void,
): Promise<LivesFigures> {
  const { seconds, rounds, merchants, payments, pgClients, httpConnections, tpcbScale } = options
  const sessions = await gateway.connectToNodes()
  const { sql } = sessions
  const payers = startPayers()
  const waitingPayers = startWaitingPayers()
  try {
    log(`${merchants} merchants; pgbench -i at scale ${tpcbScale}`)
    const keys = await seedMerchants(gateway, sessions, merchants)
    if (payments > 0) await insertHistory(gateway, sql, payments, log)
    const earlier = await countLives(sessions)
    const conditions = await describeConditions(sessions, options)
    const few = keys.slice(0, fewMerchants)
    const pgbench = usePgbench(gateway.database, gateway.directory)
    const tpcb = await pgbench.initialise(tpcbScale, sql)
    const lived: WaitingResult = { paid: 0, refused: 0, refunded: 0 }
    const atOnce = async (connections: number, length: number, from = few) => {
      const result = await payers.run({ ports: gateway.ports, keys: from, connections, seconds: length })
      lived.paid += result.lived
      return result
    }
    const production = async () => {
      const round = await runWaitingRound(gateway, sessions, { wallet, payers: waitingPayers }, keys, {
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
    const clients = {
      lives: await bestCount(
        httpConnections,
        async (count) => (await atOnce(count, Math.min(1, seconds))).perSecond,
      ),
      p0: await bestCount(pgClients, (count) => pgbench.tpcb(count, Math.min(1, seconds), tpcb)),
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
    await allThere(sessions, earlier, lived)
    return {
      conditions,
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
    await sessions.end()
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

/** Each paid life: a completed payment, its money in the ledger once, and its event. Each refund: completed, and booked. */
async function allThere(sessions: Sessions, earlier: Counts, lived: WaitingResult): Promise<void> {
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
