import { Agent } from 'node:http'
import { signIn } from '@muripo/rig/merchant'
import type pg from 'pg'
import type { Gateway, Run } from '../lib/gateway.ts'
import { send } from '../lib/http.ts'
import { cpuBetween, cpuUsage, shareOfOthers } from '../lib/meter.ts'
import { type Case, casesOf } from './cases.ts'
import { type BigMerchant, seedBigMerchants } from './seed.ts'

export interface Waits {
  readonly name: string
  readonly group: Case['group']
  /** In milliseconds, one of each round, for each merchant. */
  readonly of: readonly (readonly number[])[]
}

export interface ListFigures {
  readonly sizes: readonly number[]
  readonly waits: readonly Waits[]
  /** Processor time of other processes, as a share of the machine. */
  readonly others: number
}

const slowRounds = 5
/** The limit of counts that the totals do not contain. */
const MOST_COUNTED = 10_000

/** @throws when a call returns neither 200 nor the refusal of a scan, or when a total is wrong: such a run has no figure */
export async function measureLists({ gateway, options, log }: Run): Promise<ListFigures> {
  const { sizes, listRounds: rounds, listWarmUps: warmUps } = options
  const sql = await gateway.connect()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const merchants = await seedBigMerchants(gateway, sql, sizes, log)
    const requested = await Promise.all(
      merchants.map(async (merchant) => ({
        merchant,
        cases: await casesOf(sql, merchant),
        token: (await signIn(gateway.url, merchant.account)).authToken,
      })),
    )
    for (const { merchant, token } of requested) await expectTotal(gateway, agent, sql, merchant, token)

    const waits = (requested[0]?.cases ?? []).map(({ name, group }) => ({
      name,
      group,
      of: merchants.map(() => [] as number[]),
    }))
    const before = cpuUsage(gateway)
    for (let round = -warmUps; round < rounds; round++) {
      if (round === 0 || (round > 0 && round % 20 === 0)) log(`round ${round} of ${rounds}`)
      for (const [nth, each] of waits.entries()) {
        if (each.group === 'scans of at most five seconds' && round >= slowRounds) continue
        for (const [which, { cases, token }] of requested.entries()) {
          const pending = cases[nth]
          if (!pending) continue
          const [ms] = await read(gateway, agent, pending.path(Math.abs(round)), pending.key ?? token)
          if (round >= 0) each.of[which]?.push(ms)
        }
      }
    }
    return { sizes, waits, others: shareOfOthers(cpuBetween(before, cpuUsage(gateway))) }
  } finally {
    agent.destroy()
    await sql.end()
  }
}

/** The page's count of the whole account, compared with a count of the rows. */
async function expectTotal(
  gateway: Gateway,
  agent: Agent,
  sql: pg.Client,
  merchant: BigMerchant,
  token: string,
): Promise<void> {
  const { rows } = await sql.query<{ total: number; matched: number }>(
    `select count(*)::int as total, count(*) filter (where status = 'failed' and amount_minor >= 500)::int as matched
     from payments where account_id = $1`,
    [merchant.accountId],
  )
  const [, text] = await read(gateway, agent, '/v1/payments/all?limit=1&status=failed&minAmount=5', token)
  const { total, matched } = JSON.parse(text) as { total: number; matched: number }
  if (total !== rows[0]?.total || matched !== Math.min(rows[0].matched, MOST_COUNTED))
    throw new Error(
      `the page says ${matched} of ${total}, the table ${rows[0]?.matched} of ${rows[0]?.total}`,
    )
}

async function read(
  { port }: Gateway,
  agent: Agent,
  path: string,
  token: string,
): Promise<[ms: number, text: string]> {
  const startedAt = performance.now()
  const headers = { authorization: `Bearer ${token}` }
  const [status, text] = await send(agent, port, { path, method: 'GET', headers })
  const ms = performance.now() - startedAt
  if (status !== 200 && !text.includes('"search_too_broad"'))
    throw new Error(`${path} was answered with ${status}: ${text}`)
  return [ms, text]
}
