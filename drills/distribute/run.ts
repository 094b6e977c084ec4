import { setTimeout as sleep } from 'node:timers/promises'
import { countErrors, startMember, stopMembers } from '@muripo/rig/fleet'
import type { GatewayProcess } from '@muripo/rig/gateway'
import { groupSettings, readShardGroups } from '../../apps/server/src/platform/db/shard-groups.ts'
import { withClient } from '../../scripts/lib/postgres.ts'
import {
  type DrillDatabase,
  passTimeOfCallbacks,
  passTimeOfPayments,
  unfinishedWork,
  untilNone,
  withPool,
} from '../lib/database.ts'
import { conclude, inspect } from '../lib/inspect.ts'
import { type DrillReport, logProgress } from '../lib/report.ts'
import type { Shop } from '../lib/shop.ts'
import { readSnapshot, type Snapshot, together } from '../lib/snapshot.ts'
import {
  countTraffic,
  type ExternalServers,
  openShopAt,
  startExternalServers,
  stopExternalServers,
} from '../lib/system.ts'

/** Merchants are assigned to groups by chance. When this number leaves a group empty, the drill opens more shops. */
const FIRST_SHOPS = 8
const MOST_SHOPS = 40

interface PaymentsOptions {
  readonly databaseUrl: string
  readonly seconds: number
  readonly customers: number
  readonly seed: number
}

/** Runs two processes of the gateway on a distributed database while customers of merchants in every shard group order, pay and request refunds. */
export async function runPayments(
  directory: string,
  options: PaymentsOptions,
): Promise<DrillReport & { readonly problems: readonly string[] }> {
  const { databaseUrl, seconds } = options
  const servers = await startExternalServers(directory, options.seed)
  const members: GatewayProcess[] = []
  const shops: Shop[] = []
  try {
    await startMembers(members, directory, databaseUrl, servers)
    const groups = await openShops(shops, members, servers, options)
    const system = { ...servers, database: distributed(databaseUrl), shop: asOneShop(shops) }
    await sleep(seconds * 1000)
    const found = await inspect(system)
    logProgress(
      `${system.shop.orders.length} orders, ${servers.receiver.taken.size} events delivered, ${found.length} findings`,
    )
    const findings = await conclude(system, found)
    const { payments, refunds, deliveries } = await countTraffic(system)
    return {
      figures: [
        ['merchants by shard group', groups.join(', ')],
        ['acknowledged payments', payments],
        ['acknowledged refunds', refunds],
        ['events delivered', deliveries],
        ['payments by status', await paymentsByStatus(databaseUrl)],
        ['error lines in logs', JSON.stringify(Object.fromEntries(countErrors(members)))],
      ],
      findings,
      problems: await remainingWork(databaseUrl),
    }
  } finally {
    for (const shop of shops) void shop.close()
    await stopMembers(members)
    await stopExternalServers(servers)
  }
}

async function startMembers(
  members: GatewayProcess[],
  directory: string,
  databaseUrl: string,
  { simulator }: ExternalServers,
): Promise<void> {
  for (const name of ['all-1', 'all-2']) {
    const member = await startMember(name, 'all', {
      dataDir: directory,
      environment: { ...simulator.environment, DATABASE_URL: databaseUrl },
    })
    members.push(member)
    await member.ready()
  }
  logProgress('two processes are ready')
}

/**
 * Opens shops at the processes in turn, until every shard group has one.
 * @returns the number of shops of each group
 */
async function openShops(
  shops: Shop[],
  members: readonly GatewayProcess[],
  servers: ExternalServers,
  { databaseUrl, seed, customers }: PaymentsOptions,
): Promise<number[]> {
  let groups: number[] = []
  while (shops.length < FIRST_SHOPS || (groups.includes(0) && shops.length < MOST_SHOPS)) {
    const nth = shops.length
    const url = members[nth % members.length]?.url ?? ''
    const options = { seed: seed + nth, customers }
    shops.push(await openShopAt(url, servers, options, `shop-${nth}@shop.example`))
    if (shops.length >= FIRST_SHOPS) groups = await applicationsByGroup(databaseUrl)
  }
  logProgress(`applications by shard group: ${groups.join(', ')}`)
  return groups
}

/** The customers of all merchants, as one shop. */
const asOneShop = (shops: readonly Shop[]): Shop => ({
  get orders() {
    return shops.flatMap(({ orders }) => orders)
  },
  get refunds() {
    return shops.flatMap(({ refunds }) => refunds)
  },
  get wrong() {
    return shops.flatMap(({ wrong }) => wrong)
  },
  get attempts() {
    return shops.reduce((sum, { attempts }) => sum + attempts, 0)
  },
  close: async () => void (await Promise.all(shops.map((shop) => shop.close()))),
})

const distributed = (databaseUrl: string): DrillDatabase => ({
  readSnapshot: () => snapshotOfGroups(databaseUrl),
  async passTime() {
    await withPool(databaseUrl, passTimeOfCallbacks)
    for (const group of await readShardGroups(databaseUrl))
      await withPool(group.url, passTimeOfPayments, groupSettings(group))
  },
})

/** Each payment is in one group with all of its rows, so the groups may be read at different moments. */
const snapshotOfGroups = async (databaseUrl: string): Promise<Snapshot> =>
  together(
    await Promise.all(
      (await readShardGroups(databaseUrl)).map((group) =>
        withPool(group.url, readSnapshot, groupSettings(group)),
      ),
    ),
  )

const rows = (address: string, text: string, schema = 'public'): Promise<Record<string, unknown>[]> =>
  withClient(address, async (client) => (await client.query(text)).rows, {
    options: `-c search_path=${schema},public`,
  })

const inEachGroup = async (databaseUrl: string, text: string) =>
  Promise.all((await readShardGroups(databaseUrl)).map(({ schema, url }) => rows(url, text, schema)))

const applicationsByGroup = async (databaseUrl: string): Promise<number[]> =>
  (await inEachGroup(databaseUrl, 'select from applications')).map(({ length }) => length)

async function paymentsByStatus(databaseUrl: string): Promise<string> {
  const found = await rows(
    databaseUrl,
    'select status, count(*)::int as count from payments group by status order by status',
  )
  return found.map(({ status, count }) => `${count} ${status}`).join(', ')
}

const REMAINING_WORK_TIMEOUT_MS = 30_000
const PAUSE_MS = 500

const rowsOfProblems = {
  ...unfinishedWork,
  'deltas that are not in the totals': 'select 1 from payment_stat_deltas',
  'balances that differ from the transfers': 'select 1 from ledger_balances_drift',
}

/** Unfinished background work of each group. */
const remainingWork = (databaseUrl: string): Promise<string[]> =>
  untilNone(
    REMAINING_WORK_TIMEOUT_MS,
    async () => {
      const found = await Promise.all(
        Object.entries(rowsOfProblems).map(async ([text, statement]) =>
          (await inEachGroup(databaseUrl, statement)).flatMap(({ length }, group) =>
            length > 0 ? [`group ${group}: ${length} ${text}`] : [],
          ),
        ),
      )
      return found.flat()
    },
    () => sleep(PAUSE_MS),
  )
