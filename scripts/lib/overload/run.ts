import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentId } from '@muripo/contract/ids'
import { uuidOf } from '../../../apps/server/src/platform/ids.ts'
import { startGateway } from '../../../bench/lib/gateway.ts'
import { startWallet } from '../../../bench/lib/lives/payers.ts'
import { type LoadResult, startGenerator } from '../../../bench/lib/load.ts'
import { makeApplication, signIn, signUp } from '../../../bench/lib/seed.ts'
import { median } from '../../../bench/lib/statistics.ts'
import { type Answers, startVisits, type Visits } from './visitors.ts'

export interface OverloadOptions {
  readonly seconds: number
  readonly factor: number
  readonly connections: number
  readonly log: (line: string) => void
}

export interface OverloadReport {
  /** Creates a second, one connection's next on the answer to its last. */
  readonly capacity: number
  readonly offered: number
  /** Creates a second that succeeded under the overload. */
  readonly goodput: number
  readonly p50: number
  readonly p99: number
  readonly refusals: Answers
  readonly visits: Visits['answers']
  readonly paid: number
  readonly findings: readonly string[]
}

/** Before and after the overload. */
const CAPACITY_ROUNDS = 2
const CAPACITY_SECONDS = 3
const CAPACITY_CONNECTIONS = 256
const COMPLETED_WITHIN_MS = 30_000

/** Offers a multiple of the measured capacity, whether or not it is answered, and compares what was acknowledged with the database. */
export async function overload({
  seconds,
  factor,
  connections,
  log,
}: OverloadOptions): Promise<OverloadReport> {
  const wallet = await startWallet()
  const gateway = await startGateway({ ECOCASH_URL: wallet.url })
  const generator = startGenerator()
  const sql = await gateway.connect()
  const count = async (condition: string, values: unknown[] = []): Promise<number> => {
    const { rows } = await sql.query(`select count(*)::int as count from payments where ${condition}`, values)
    return rows[0].count
  }
  try {
    const { url, port } = gateway
    const token = await signIn(url, await signUp(url, 'overload@shop.example'))
    const { applicationKey } = await makeApplication(url, token, 'Shop')
    const load = { port, keys: [applicationKey], isVaried: true, isOverload: true }

    const rates: number[] = []
    let created = 0
    async function measureCapacity(): Promise<void> {
      const result = await generator.run({
        ...load,
        connections: CAPACITY_CONNECTIONS,
        seconds: CAPACITY_SECONDS,
      })
      created += successes(result)
      rates.push(result.perSecond)
      log(`capacity: ${Math.round(result.perSecond)} creates a second`)
    }
    await measureCapacity()
    // The first round compiled the code and filled the caches.
    rates.pop()
    for (let round = 0; round < CAPACITY_ROUNDS; round += 1) await measureCapacity()
    const offered = Math.round(median(rates) * factor)

    log(`${offered} creates a second for ${seconds} s`)
    const visits = startVisits(url, applicationKey, token)
    const result = await generator.run({ ...load, connections, seconds, rate: offered })
    await visits.close()
    created += successes(result)
    // Other programs on the machine change the capacity, too.
    for (let round = 0; round < CAPACITY_ROUNDS; round += 1) await measureCapacity()
    const capacity = median(rates)

    const findings: string[] = []
    const ordered = visits.answers.order['201'] ?? 0
    const rows = await count('true')
    if (rows !== created + ordered)
      findings.push(`${created + ordered} payments were acknowledged, and ${rows} exist`)
    const paid = visits.paid.map((id) => uuidOf(id as PaymentId))
    const open = () => count(`id = any($1) and status <> 'completed'`, [paid])
    const giveUpAt = performance.now() + COMPLETED_WITHIN_MS
    while ((await open()) > 0 && performance.now() < giveUpAt) await sleep(200)
    if ((await open()) > 0) findings.push(`${await open()} of ${paid.length} payments are not completed`)
    for (const [kind, answers] of Object.entries({ create: result.refusals, ...visits.answers }))
      for (const [status, times] of Object.entries(answers))
        if (!/^([23]..|429|503)$/.test(status)) findings.push(`${kind}: ${times} times ${status}`)
    return {
      capacity,
      offered,
      goodput: result.perSecond,
      p50: result.p50,
      p99: result.p99,
      refusals: result.refusals,
      visits: visits.answers,
      paid: paid.length,
      findings,
    }
  } finally {
    generator.stop()
    await sql.end()
    await gateway.stop()
    wallet.stop()
  }
}

const successes = ({ answered, refusals }: LoadResult): number =>
  answered - Object.values(refusals).reduce((sum, each) => sum + each, 0)
