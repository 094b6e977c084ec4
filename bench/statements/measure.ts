import { ofOneNode } from '../../scripts/lib/citus/sessions.ts'
import { recordLog } from '../lib/database-log.ts'
import type { Run } from '../lib/gateway.ts'
import { seedMerchants } from '../lib/seed.ts'
import { startPayers } from '../lives/payers.ts'
import { runWaitingRound, type WaitingRound } from '../lives/waiting-round.ts'
import { costsIn, type StatementCost } from './log.ts'

export interface StatementFigures {
  readonly round: WaitingRound
  readonly lives: number
  readonly costs: readonly StatementCost[]
}

/** PostgreSQL logs the processor time of each step of each statement, and its text. */
const settings = { log_statement_stats: 'on', log_error_verbosity: 'default' }

/** A round of lives in production's shape, and the processor time of PostgreSQL for each of its statements. */
export async function measureStatements({ gateway, wallet, options, log }: Run): Promise<StatementFigures> {
  const sql = await gateway.connect()
  const payers = startPayers()
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
    log('one round')
    const recorded = await recordLog(gateway, sql, settings, lives)
    const { result: round } = recorded
    return { round, lives: round.result.paid + round.result.refused, costs: costsIn(recorded.log) }
  } finally {
    payers.stop()
    await sql.end()
  }
}
