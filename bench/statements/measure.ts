import { readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ofOneNode } from '../../scripts/lib/citus/sessions.ts'
import type { Gateway } from '../lib/gateway.ts'
import type { Options } from '../lib/options.ts'
import { seedMerchants } from '../lib/seed.ts'
import { startWaitingPayers } from '../lives/waiting-payers.ts'
import { runWaitingRound, type WaitingRound } from '../lives/waiting-round.ts'
import type { Wallet } from '../lives/wallet.ts'
import { costsIn, type StatementCost } from './log.ts'

export interface StatementFigures {
  readonly round: WaitingRound
  readonly lives: number
  readonly costs: readonly StatementCost[]
}

/** PostgreSQL logs the processor time of each step of each statement, and its text. */
const settings = [
  ['log_statement_stats', 'on'],
  ['log_error_verbosity', 'default'],
] as const

/** A round of lives in production's shape, and the processor time of PostgreSQL for each of its statements. */
export async function measureStatements(
  gateway: Gateway,
  wallet: Wallet,
  options: Options,
  log: (line: string) => void,
): Promise<StatementFigures> {
  const sql = await gateway.connect()
  const payers = startWaitingPayers()
  try {
    log(`${options.merchants} merchants`)
    const keys = await seedMerchants(gateway, ofOneNode(sql), options.merchants)
    const lives = () =>
      runWaitingRound(gateway, ofOneNode(sql), { wallet, payers }, keys, {
        payers: { connections: Math.max(...options.httpConnections), waiting: options.waiting },
        seconds: options.livesSeconds,
        faster: options.faster,
        lost: options.lost,
      })
    log('warming up')
    await lives()
    for (const [name, value] of settings) await sql.query(`alter system set ${name} = '${value}'`)
    await sql.query('select pg_reload_conf()')
    await sleep(300)
    const { databaseLog } = gateway
    if (databaseLog === null) throw new Error('the log of the database cannot be read')
    const from = statSync(databaseLog).size
    log('one round')
    const round = await lives()
    return {
      round,
      lives: round.result.paid + round.result.refused,
      costs: costsIn(readFileSync(databaseLog).subarray(from).toString('latin1')),
    }
  } finally {
    payers.stop()
    await sql.end()
  }
}
