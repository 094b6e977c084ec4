import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createPool } from '../../../apps/server/src/platform/db/database.ts'
import { groupSettings, readShardGroups } from '../../../apps/server/src/platform/db/shard-groups.ts'
import { compare, type Finding } from '../../lib/drill/compare.ts'
import { isError, launch } from '../../lib/drill/member.ts'
import { finish, inspect } from '../../lib/drill/run.ts'
import { openShopAt, openSurroundings } from '../../lib/drill/scene.ts'
import type { Shop } from '../../lib/drill/shop.ts'
import {
  passTimeOfCallbacks,
  passTimeOfPayments,
  readSnapshot,
  type Snapshot,
} from '../../lib/drill/snapshot.ts'
import { repository } from '../../lib/repository.ts'

export interface PaymentsReport {
  readonly figures: readonly (readonly [name: string, value: string])[]
  readonly findings: readonly Finding[]
  readonly problems: readonly string[]
  readonly directory: string
}

/** Merchants are in groups by chance: so many miss one of four groups once in thirty times, and the drill then opens more. */
const FIRST_SHOPS = 8
const MOST_SHOPS = 40

interface PaymentsOptions {
  readonly seconds: number
  readonly customers: number
  readonly seed: number
  readonly log: (line: string) => void
}

/** Two processes of the gateway on a distributed database, while customers of merchants in every shard group order, pay and ask for refunds. */
export async function runPayments(
  databaseUrl: string,
  { seconds, customers, seed, log }: PaymentsOptions,
): Promise<PaymentsReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-distribute-'))
  const { wallet, receiver, environment } = await openSurroundings(seed)
  const start = (name: string) =>
    launch({ name, role: 'all', tree: repository }, directory, { ...environment, DATABASE_URL: databaseUrl })
  const members = [await start('all-1')]
  const shops: Shop[] = []
  let isClean = false
  try {
    const [first] = members
    if (!first) throw new Error('no process')
    await first.ready()
    const second = await start('all-2')
    members.push(second)
    await second.ready()
    log('two processes are ready')
    const open = async () =>
      shops.push(
        await openShopAt(
          members[shops.length % 2]?.url ?? first.url,
          receiver,
          { seed: seed + shops.length, customers },
          `shop-${shops.length}@shop.example`,
        ),
      )
    while (shops.length < FIRST_SHOPS) await open()
    let groups = await applicationsByGroup(databaseUrl)
    while (groups.some((count) => count === 0) && shops.length < MOST_SHOPS) {
      await open()
      groups = await applicationsByGroup(databaseUrl)
    }
    log(`applications by shard group: ${groups.join(', ')}`)
    const onNodes = {
      readSnapshot: () => snapshotOfGroups(databaseUrl),
      passTime: () => passTimeInGroups(databaseUrl),
    }
    const watched = { databaseUrl: () => databaseUrl, onNodes }
    const scene = { watched, wallet, receiver, shop: together(shops) }
    await sleep(seconds * 1000)
    const findings = await inspect(scene, compare)
    log(
      `${scene.shop.orders.length} orders, ${receiver.taken.size} events delivered, ${findings.length} findings`,
    )
    if (findings.length === 0) findings.push(...(await finish(scene, log)))
    findings.push(...scene.shop.wrong.map((text) => ({ kind: 'half done', text }) as const))
    const problems = await remainingWork(databaseUrl)
    const errors = members.flatMap((member) => member.logged().filter(isError))
    const answered = (of: 'orders' | 'refunds') =>
      String(scene.shop[of].filter((each) => each.answered !== null).length)
    isClean = findings.length + problems.length === 0
    return {
      figures: [
        ['merchants by shard group', groups.join(', ')],
        ['acknowledged payments', answered('orders')],
        ['acknowledged refunds', answered('refunds')],
        ['events delivered', String(receiver.taken.size)],
        ['payments by status', await paymentsByStatus(databaseUrl)],
        [
          'error lines in logs',
          JSON.stringify(
            Object.fromEntries(
              [...Map.groupBy(errors, ({ msg }) => msg)].map(([msg, lines]) => [msg, lines.length]),
            ),
          ),
        ],
      ],
      findings,
      problems,
      directory,
    }
  } finally {
    for (const shop of shops) void shop.close()
    await Promise.all(members.filter((member) => member.isRunning()).map((member) => member.stop()))
    await wallet.close()
    await receiver.close()
    if (isClean) rmSync(directory, { recursive: true, force: true })
  }
}

/** The customers of all merchants, as one shop. */
const together = (shops: readonly Shop[]): Shop => ({
  get orders() {
    return shops.flatMap(({ orders }) => orders)
  },
  get refunds() {
    return shops.flatMap(({ refunds }) => refunds)
  },
  get wrong() {
    return shops.flatMap(({ wrong }) => wrong)
  },
  close: async () => void (await Promise.all(shops.map((shop) => shop.close()))),
})

async function rows(address: string, text: string, schema = 'public'): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address, options: `-c search_path=${schema},public` })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const inEachGroup = async (databaseUrl: string, text: string) =>
  Promise.all((await readShardGroups(databaseUrl)).map(({ schema, url }) => rows(url, text, schema)))

async function withPool<Result>(
  url: string,
  settings: readonly string[],
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(url, { maxConnections: 1, settings })
  return work(pool).finally(() => pool.end())
}

async function passTimeInGroups(databaseUrl: string): Promise<void> {
  await withPool(databaseUrl, [], passTimeOfCallbacks)
  for (const group of await readShardGroups(databaseUrl))
    await withPool(group.url, groupSettings(group), passTimeOfPayments)
}

/** Each payment is in one group with all of its rows, so that each group may be read at another moment. */
async function snapshotOfGroups(databaseUrl: string): Promise<Snapshot> {
  const groups = await Promise.all(
    (await readShardGroups(databaseUrl)).map((group) =>
      withPool(group.url, groupSettings(group), readSnapshot),
    ),
  )
  return {
    payments: groups.flatMap(({ payments }) => payments),
    attempts: groups.flatMap(({ attempts }) => attempts),
    refunds: groups.flatMap(({ refunds }) => refunds),
    transfers: groups.flatMap(({ transfers }) => transfers),
    events: groups.flatMap(({ events }) => events),
    drifted: groups.reduce((sum, { drifted }) => sum + drifted, 0),
  }
}

const applicationsByGroup = async (databaseUrl: string): Promise<number[]> =>
  (await inEachGroup(databaseUrl, 'select from applications')).map(({ length }) => length)

async function paymentsByStatus(databaseUrl: string): Promise<string> {
  const found = await rows(
    databaseUrl,
    'select status, count(*)::int as count from payments group by status order by status',
  )
  return found.map(({ status, count }) => `${count} ${status}`).join(', ')
}

const GIVE_UP_MS = 30_000
const PAUSE_MS = 500

/** Background work of a group that is not done. */
async function remainingWork(databaseUrl: string): Promise<string[]> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (;;) {
    const found = await Promise.all(
      rowsOfProblems.map(async ([text, statement]) => {
        return [text, await inEachGroup(databaseUrl, statement)] as const
      }),
    )
    const problems = found.flatMap(([text, counts]) =>
      counts.flatMap(({ length }, group) => (length > 0 ? [`group ${group}: ${length} ${text}`] : [])),
    )
    if (problems.length === 0 || performance.now() > giveUpAt) return problems
    await sleep(PAUSE_MS)
  }
}

const rowsOfProblems: readonly (readonly [text: string, statement: string])[] = [
  [
    'events without exactly one delivery',
    'select id from events left join webhook_deliveries on event_id = id group by id having count(event_id) <> 1',
  ],
  ['events that wait for the relay', 'select 1 from events_to_relay'],
  ['deliveries that are not delivered', `select 1 from webhook_deliveries where status <> 'delivered'`],
  ['deltas that are not in the totals', 'select 1 from payment_stat_deltas'],
  ['totals that differ from the payments', 'select 1 from payment_figures_drift'],
  ['payments that differ from the ledger', 'select 1 from payment_ledger_drift'],
  ['balances that differ from the transfers', 'select 1 from ledger_balances_drift'],
]
