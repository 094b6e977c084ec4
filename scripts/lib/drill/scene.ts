import { call, makeApplication, signIn, signUp } from '../../../bench/lib/seed.ts'
import { freePort } from '../free-port.ts'
import { chanceOf } from './chance.ts'
import { startWatched, type Watched } from './gateway.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { openShop, type Shop } from './shop.ts'
import type { Snapshot } from './snapshot.ts'
import { startWallet, type Wallet } from './wallet/wallet.ts'

/** A gateway, its provider, a merchant's receiver and the merchant's customers, who order at once. */
export interface Scene {
  readonly watched: Watched
  readonly wallet: Wallet
  readonly receiver: Receiver
  readonly shop: Shop
  /** Starts a gateway on the same directory and port, after the watched one has stopped. */
  readonly startAgain: () => Watched
}

/** The parts of a scene whose records are compared. */
export interface Inspected extends Pick<Scene, 'wallet' | 'receiver' | 'shop'> {
  readonly watched: Pick<Watched, 'databaseUrl'> & {
    /** For a database of several nodes, which reads its rows and moves its deadlines in its own way. */
    readonly onNodes?: {
      readonly readSnapshot: () => Promise<Snapshot>
      readonly passTime: () => Promise<void>
    }
  }
}

export interface SceneOptions {
  readonly seed: number
  /** Number of concurrent customers. */
  readonly customers: number
  /** Whether some orders are captured by the shop. */
  readonly captures?: boolean
  readonly environment?: Readonly<Record<string, string>>
  /** Elsewhere than in the directory, when that is destroyed. */
  readonly logFile?: string
}

/** The two sides that a gateway calls, and the variables that lead it to the provider. */
export interface Surroundings {
  readonly wallet: Wallet
  readonly receiver: Receiver
  readonly environment: Readonly<Record<string, string>>
}

export async function openSurroundings(seed: number): Promise<Surroundings> {
  // Random sources of their own, so that other draws do not change the times of the kills.
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
  receiver: Receiver,
  { seed, customers, captures = true }: Pick<SceneOptions, 'seed' | 'customers' | 'captures'>,
  email = 'crash@shop.example',
): Promise<Shop> {
  const token = await signIn(url, await signUp(url, email))
  const { applicationKey } = await makeApplication(url, token, 'Shop')
  await call(url, '/api/v1/webhooks', {
    token: applicationKey,
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

export async function openScene(
  directory: string,
  { seed, customers, environment = {}, logFile }: SceneOptions,
): Promise<Scene> {
  const { wallet, receiver, environment: providers } = await openSurroundings(seed)
  const port = await freePort()
  const startAgain = () => startWatched(directory, port, { ...providers, ...environment }, logFile)
  const watched = startAgain()
  try {
    await watched.ready()
    const shop = await openShopAt(watched.url, receiver, { seed, customers })
    return { watched, wallet, receiver, shop, startAgain }
  } catch (error) {
    await Promise.all([watched.stop(), wallet.close(), receiver.close()])
    throw error
  }
}

export async function closeScene({ watched, wallet, receiver, shop }: Scene): Promise<void> {
  void shop.close()
  await watched.stop()
  await wallet.close()
  await receiver.close()
}
