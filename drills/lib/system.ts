import path from 'node:path'
import { callOk } from '@muripo/rig/call'
import { type Fleet, openFleet } from '@muripo/rig/fleet'
import { freePort } from '@muripo/rig/listen'
import { openShop as openMerchant } from '@muripo/rig/merchant'
import { RestartingGateway } from '@muripo/rig/restarting-gateway'
import { repository } from '../../scripts/lib/repository.ts'
import { chanceOf } from './chance.ts'
import { type DrillDatabase, databaseAt } from './database.ts'
import { type EventReceiver, startReceiver } from './receiver.ts'
import { openShop, type Shop } from './shop.ts'
import { startWallet, type Wallet } from './wallet/wallet.ts'

/** The four records that a drill compares. */
export interface RecordSources {
  readonly wallet: Wallet
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

/** The two servers that a gateway calls, and the variables with the addresses of the provider. */
export interface ExternalServers {
  readonly wallet: Wallet
  readonly receiver: EventReceiver
  readonly environment: Readonly<Record<string, string>>
}

export async function startExternalServers(seed: number): Promise<ExternalServers> {
  // Each has its own random source, so that the times of the kills depend only on the seed.
  const wallet = await startWallet(chanceOf(seed + 1))
  const receiver = await startReceiver(chanceOf(seed + 2))
  return {
    wallet,
    receiver,
    environment: {
      ECOCASH_URL: wallet.ecocashUrl,
      MASTERCARD_URL: wallet.cardsUrl,
      MASTERCARD_MERCHANT_ID: 'TESTCRASH',
      MASTERCARD_PASSWORD: 'crash',
    },
  }
}

/** A merchant with an application and an endpoint, and the merchant's customers, at a gateway that is ready. */
export async function openShopAt(
  url: string,
  receiver: EventReceiver,
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
  return openShop(url, applicationKey, customers, { chance: chanceOf(seed + 3), captures })
}

export async function startSystem(
  directory: string,
  { seed, customers, environment = {}, log = path.join(directory, 'gateway.log') }: SystemOptions,
): Promise<DrillSystem> {
  const { wallet, receiver, environment: providers } = await startExternalServers(seed)
  const ports = { PORT: String(await freePort()), LOG_LEVEL: 'error' }
  const options = { dataDir: directory, tree: repository, log }
  const startAgain = () =>
    new RestartingGateway({ ...options, environment: { ...ports, ...providers, ...environment } })
  const gateway = startAgain()
  try {
    await gateway.ready()
    const shop = await openShopAt(gateway.url, receiver, { seed, customers })
    const database = databaseAt(() => gateway.databaseUrl())
    return { gateway, database, wallet, receiver, shop, startAgain }
  } catch (error) {
    await Promise.all([gateway.stop(), wallet.close(), receiver.close()])
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
  const { wallet, receiver, environment } = await startExternalServers(options.seed)
  const fleet = await openFleet(directory, options.processes, environment)
  let shop: Shop | undefined
  return {
    ...fleet,
    wallet,
    receiver,
    database: databaseAt(() => fleet.databaseUrl),
    get shop() {
      if (!shop) throw new Error('The customers have not begun')
      return shop
    },
    async openShop(captures = true) {
      shop = await openShopAt(fleet.router.url, receiver, { ...options, captures })
    },
    async stop() {
      void shop?.close()
      await fleet.stop()
      await wallet.close()
      await receiver.close()
    },
  }
}

export async function stopSystem({ gateway, wallet, receiver, shop }: DrillSystem): Promise<void> {
  void shop.close()
  await gateway.stop()
  await wallet.close()
  await receiver.close()
}

const answeredIn = (requests: readonly { readonly answered: string | null }[]): number =>
  requests.filter(({ answered }) => answered !== null).length

/** The size of the traffic in a report. */
export function countTraffic({ shop, wallet, receiver }: Omit<RecordSources, 'database'>) {
  const deliveries = [...receiver.taken.values()]
  return {
    payments: answeredIn(shop.orders),
    paid: [...wallet.entries.values()].filter(({ kind, status }) => kind === 'charge' && status === 'paid')
      .length,
    refunds: answeredIn(shop.refunds),
    cancelled: shop.orders.filter(({ cancelled }) => cancelled).length,
    deliveries: deliveries.length,
    deliveredAgain: deliveries.reduce((again, { times }) => again + times - 1, 0),
  }
}
