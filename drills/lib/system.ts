import path from 'node:path'
import { callOk } from '@muripo/rig/call'
import { chanceOf } from '@muripo/rig/chance'
import { type Fleet, openFleet } from '@muripo/rig/fleet'
import { freePort } from '@muripo/rig/listen'
import { openShop as openMerchant } from '@muripo/rig/merchant'
import { lossyRoutes } from '@muripo/rig/misbehaviour'
import { RestartingGateway } from '@muripo/rig/restarting-gateway'
import { type Simulator, startSimulator } from '@muripo/rig/simulator'
import { repository } from '../../scripts/lib/repository.ts'
import { type DrillDatabase, databaseAt } from './database.ts'
import { type EventReceiver, startReceiver } from './receiver.ts'
import { openShop, type Shop } from './shop.ts'

/** The four records that a drill compares. */
export interface RecordSources {
  readonly simulator: Simulator
  readonly receiver: EventReceiver
  readonly shop: Shop
  readonly database: DrillDatabase
}

/** A gateway, its provider, a merchant's receiver and the merchant's concurrent customers. */
export interface DrillSystem extends RecordSources {
  readonly gateway: RestartingGateway
  /** Starts a gateway on the same directory and port, after the other one has stopped. */
  readonly startAgain: () => RestartingGateway
}

export interface SystemOptions {
  readonly seed: number
  /** Number of concurrent customers. */
  readonly customers: number
  /** Whether the shop captures some orders. */
  readonly captures?: boolean
  readonly environment?: Readonly<Record<string, string>>
  /** Outside the directory, when the drill destroys the directory. */
  readonly log?: string
}

/** The two servers that a gateway calls: the providers, and the merchant's. */
export interface ExternalServers {
  readonly simulator: Simulator
  readonly receiver: EventReceiver
}

/** @param directory of the providers' records */
export const startExternalServers = async (directory: string, seed: number): Promise<ExternalServers> => ({
  simulator: await startSimulator(path.join(directory, 'providers')),
  receiver: await startReceiver(chanceOf(seed + 2)),
})

export async function stopExternalServers({ simulator, receiver }: ExternalServers): Promise<void> {
  await simulator.close()
  await receiver.close()
}

/** A merchant with an application and an endpoint, and the merchant's customers, at a gateway that is ready. */
export async function openShopAt(
  url: string,
  { simulator, receiver }: ExternalServers,
  { seed, customers, captures = true }: Pick<SystemOptions, 'seed' | 'customers' | 'captures'>,
  email = 'crash@shop.example',
): Promise<Shop> {
  const { applicationKey } = (await openMerchant(url, email)).application
  await callOk('POST', `${url}/api/v1/webhooks`, {
    bearer: applicationKey,
    body: {
      url: receiver.url,
      events: [
        ...(captures ? ['payment.authorized'] : []),
        ...['payment.completed', 'payment.failed', 'payment.refunded', 'refund.failed'],
      ],
    },
  })
  return openShop(url, applicationKey, simulator, {
    chance: chanceOf(seed + 3),
    customers,
    routes: lossyRoutes.filter(({ isManual }) => captures || !isManual),
    attempts: 1,
    cancelledPercent: 20,
  })
}

export async function startSystem(
  directory: string,
  { seed, customers, environment = {}, log = path.join(directory, 'gateway.log') }: SystemOptions,
): Promise<DrillSystem> {
  const servers = await startExternalServers(path.dirname(log), seed)
  const { simulator } = servers
  const ports = { PORT: String(await freePort()), LOG_LEVEL: 'error' }
  const options = { dataDir: directory, tree: repository, log }
  const startAgain = () =>
    new RestartingGateway({ ...options, environment: { ...ports, ...simulator.environment, ...environment } })
  const gateway = startAgain()
  try {
    await gateway.ready()
    const shop = await openShopAt(gateway.url, servers, { seed, customers })
    const database = databaseAt(() => gateway.databaseUrl())
    return { ...servers, gateway, database, shop, startAgain }
  } catch (error) {
    await gateway.stop()
    await stopExternalServers(servers)
    throw error
  }
}

/** Several processes of the gateway on one database behind a router, with a provider, a receiver and customers. */
export interface FleetSystem extends Fleet, RecordSources {
  /**
   * Lets the customers begin, at a member that is ready.
   * @param captures whether the shop captures some orders
   */
  openShop(captures?: boolean): Promise<void>
}

export async function startFleet(
  directory: string,
  options: Pick<SystemOptions, 'seed' | 'customers'> & { readonly processes: number },
): Promise<FleetSystem> {
  const servers = await startExternalServers(directory, options.seed)
  const fleet = await openFleet(directory, options.processes, servers.simulator.environment)
  let shop: Shop | undefined
  return {
    ...fleet,
    ...servers,
    database: databaseAt(() => fleet.databaseUrl),
    get shop() {
      if (!shop) throw new Error('The customers have not begun')
      return shop
    },
    async openShop(captures = true) {
      shop = await openShopAt(fleet.router.url, servers, { ...options, captures })
    },
    async stop() {
      void shop?.close()
      await fleet.stop()
      await stopExternalServers(servers)
    },
  }
}

export async function stopSystem(system: DrillSystem): Promise<void> {
  void system.shop.close()
  await system.gateway.stop()
  await stopExternalServers(system)
}

const answeredIn = (requests: readonly { readonly answered: string | null }[]): number =>
  requests.filter(({ answered }) => answered !== null).length

/** The size of the traffic in a report. */
export async function countTraffic({ shop, simulator, receiver }: Omit<RecordSources, 'database'>) {
  const deliveries = [...receiver.taken.values()]
  const records = [...(await simulator.records()).values()]
  return {
    payments: answeredIn(shop.orders),
    paid: records.filter(({ kind, isPaid }) => kind !== 'refund' && isPaid).length,
    refunds: answeredIn(shop.refunds),
    cancelled: shop.orders.filter(({ cancelled }) => cancelled).length,
    deliveries: deliveries.length,
    deliveredAgain: deliveries.reduce((again, { times }) => again + times - 1, 0),
  }
}
