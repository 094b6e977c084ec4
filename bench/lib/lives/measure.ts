import type pg from 'pg'
import type { Gateway } from '../gateway.ts'
import { machineCpu, postgresCpu, processCpu } from '../meter.ts'
import { merchants, type Options } from '../options.ts'
import { usePgbench } from '../pgbench.ts'
import { seedMerchants } from '../seed.ts'
import { median } from '../statistics.ts'
import { startPayers } from './payers.ts'

export interface LivesFigures {
  /** Per second, one of each round. */
  readonly lives: readonly number[]
  readonly oneMerchant: readonly number[]
  readonly p0: readonly number[]
  readonly clients: { readonly lives: number; readonly p0: number }
  /** Milliseconds of a whole life, medians of the rounds. */
  readonly p50: number
  readonly p99: number
  /** Processor seconds for one, medians. */
  readonly cpu: Readonly<Record<'gateway' | 'postgres' | 'payers' | 'wallet', number>>
  /** Processor time of other processes, as a share of the machine. */
  readonly others: number
  readonly lived: number
}

const tpcb = 'bench_tpcb'

/** @throws when a life that was counted is not wholly in the database */
export async function measureLives(
  gateway: Gateway,
  walletPid: number,
  { seconds, rounds, pgClients, httpConnections, tpcbScale }: Options,
  say: (line: string) => void,
): Promise<LivesFigures> {
  const sql = await gateway.connect()
  const payers = startPayers()
  try {
    say(`${merchants} merchants; pgbench -i at scale ${tpcbScale}`)
    const keys = await seedMerchants(gateway, sql, merchants)
    const pgbench = usePgbench(gateway.database, gateway.directory)
    await sql.query(`create database ${tpcb}`)
    await pgbench.initialise(tpcbScale, tpcb)
    let lived = 0
    const run = async (connections: number, length: number, from = keys) => {
      const result = await payers.run({ port: gateway.port, keys: from, connections, seconds: length })
      lived += result.lived
      return result
    }

    say('warming up, and looking for the best number of clients')
    await run(64, seconds)
    const best = async (counts: readonly number[], rate: (count: number) => Promise<number>) => {
      const rates: { count: number; rate: number }[] = []
      for (const count of counts) rates.push({ count, rate: await rate(count) })
      return rates.reduce((most, each) => (each.rate > most.rate ? each : most)).count
    }
    const clients = {
      lives: await best(httpConnections, async (count) => (await run(count, Math.min(1, seconds))).perSecond),
      p0: await best(pgClients, (count) => pgbench.tpcb(count, 1, tpcb)),
    }

    const [lives, oneMerchant, p0]: [number[], number[], number[]] = [[], [], []]
    const waits: { p50: number; p99: number }[] = []
    const cpu: { gateway: number; postgres: number; payers: number; wallet: number }[] = []
    const others: number[] = []
    for (let round = 1; round <= rounds; round += 1) {
      say(`round ${round} of ${rounds}`)
      const used = () =>
        [processCpu(gateway.pid), postgresCpu(gateway.postmasterPid), processCpu(walletPid)] as const
      const [before, machine] = [used(), machineCpu()]
      const result = await run(clients.lives, seconds)
      const [after, machineAfter] = [used(), machineCpu()]
      const spent = after.map((value, index) => value - (before[index] ?? 0))
      const each = (value = Number.NaN) => value / result.lived
      lives.push(result.perSecond)
      waits.push(result)
      cpu.push({
        gateway: each(spent[0]),
        postgres: each(spent[1]),
        payers: each(result.cpuSeconds),
        wallet: each(spent[2]),
      })
      const ours = spent.reduce((sum, value) => sum + value, result.cpuSeconds)
      others.push(Math.max(0, machineAfter.busy - machine.busy - ours) / (machineAfter.all - machine.all))
      oneMerchant.push((await run(clients.lives, seconds, keys.slice(0, 1))).perSecond)
      p0.push(await pgbench.tpcb(clients.p0, seconds, tpcb))
    }
    await allThere(sql, lived)
    const middle = (name: keyof (typeof cpu)[number]) => median(cpu.map((each) => each[name]))
    return {
      lives,
      oneMerchant,
      p0,
      clients,
      p50: median(waits.map(({ p50 }) => p50)),
      p99: median(waits.map(({ p99 }) => p99)),
      cpu: {
        gateway: middle('gateway'),
        postgres: middle('postgres'),
        payers: middle('payers'),
        wallet: middle('wallet'),
      },
      others: median(others),
      lived,
    }
  } finally {
    payers.stop()
    await sql.end()
  }
}

/** Each life: a completed payment, its money in the ledger once, and its event. */
async function allThere(sql: pg.Client, lived: number): Promise<void> {
  const { rows } = await sql.query<Record<string, number>>(
    `select (select count(*)::int from payments where status = 'completed') as payments,
       (select count(*)::int from ledger_transfers where kind = 'capture') as captures,
       (select count(*)::int from events where type = 'payment.completed') as events`,
  )
  const counts = rows[0] ?? {}
  if (Object.values(counts).some((count) => count !== lived))
    throw new Error(`${lived} lives, but the database has ${JSON.stringify(counts)}`)
}
