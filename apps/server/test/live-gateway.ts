import type { Application } from '@muripo/contract/applications'
import type { MerchantId } from '@muripo/contract/ids'
import type { PublicPayment } from '@muripo/contract/payments'
import { afterAll, afterEach } from 'vitest'
import { changeMerchantStatus, KeyCache } from '../src/modules/applications/index.ts'
import { lookupOf } from '../src/modules/applications/key.ts'
import { findKeyOwner, type KeyOwner } from '../src/modules/applications/store-keys.ts'
import { makeMerchant, makeSession } from '../src/modules/identity/factory.ts'
import { scriptedProvider } from '../src/modules/payments/factory.ts'
import { type Providers, registryOf } from '../src/modules/providers/registry.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import type { Clock } from '../src/platform/clock.ts'
import { makeApp } from './app.ts'
import { productionEnv } from './production-env.ts'
import { makeWorld } from './world.ts'

export const TEST_NUMBERS = ['077 111 1111', '077 222 2222']

export const applicationForm = { applicationName: 'Shop', description: 'Sells things', category: 'Retail' }

type Authorization = { readonly authorization: string }
const bearer = (token: string | null): Authorization => ({ authorization: `Bearer ${token}` })

/** A merchant of a live gateway, with an application and its two keys. */
export interface LiveShop {
  readonly merchantId: MerchantId
  readonly application: Application
  readonly session: Authorization
  readonly live: Authorization
  readonly trial: Authorization
}

interface Answered<Body> {
  readonly status: number
  readonly body: Body
}

/**
 * A gateway for real money, until the file's last test has run.
 * @param providers left out: one provider for real money, and another for test keys
 */
export async function liveGateway(
  providers?: (clock: Clock) => Providers,
  env: Readonly<Record<string, string>> = {},
) {
  const { ctx: base } = await makeWorld({ ...productionEnv, RATE_LIMITS: '100', ...env })
  const real = scriptedProvider()
  const sandbox = scriptedProvider()
  const wallet = { ...real.connector, id: 'wallet' }
  const trialWallet = { ...sandbox.connector, id: 'wallet-test', testNumbers: TEST_NUMBERS }
  const ctx = { ...base, providers: providers?.(base.clock) ?? registryOf([wallet], [trialWallet]) }
  const keyCache = new KeyCache()
  await keyCache.connect(ctx, ctx.databaseUrl)
  const app = await makeApp(ctx, keyCache)
  afterAll(async () => {
    await app.close()
    await keyCache.close()
    await ctx.close()
  })
  afterEach(() => {
    real.charges.length = 0
    sandbox.charges.length = 0
  })

  // biome-ignore lint/suspicious/noExplicitAny: each test looks at its own part of an answer
  async function call<Body = any>(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    headers: Record<string, string>,
    payload?: object,
  ): Promise<Answered<Body>> {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.json() }
  }

  const order = { amount: 12.5, currency: 'USD', description: 'Order 1001', reference: 'R1' }
  const create = (who: Authorization, change: object = {}, key?: string) =>
    call<PublicPayment>(
      'POST',
      '/api/v1/payments',
      { ...who, ...(key && { 'idempotency-key': key }) },
      { ...order, ...change },
    )

  async function ownerOf({ authorization }: Authorization): Promise<KeyOwner> {
    const key = authorization.slice('Bearer '.length)
    const owner = await findKeyOwner(ctx.db.kysely, lookupOf(ctx.keys, key), 'live')
    if (owner === null) throw new Error('a key has its owner')
    return owner
  }

  const approve = (merchantId: MerchantId) =>
    changeMerchantStatus(ctx, operatorActor('rudo', 'rudo@till'), {
      merchantId,
      move: 'approve',
      reason: 'The documents are in order',
      seen: null,
    })

  async function openShop(): Promise<LiveShop> {
    const { merchantId } = await makeMerchant(ctx)
    await approve(merchantId)
    const session = bearer((await makeSession(ctx, merchantId)).authToken)
    const path = '/v1/applications/create'
    const { body: application } = await call<Application>('POST', path, session, applicationForm)
    const { applicationKey, testKey } = application
    return { merchantId, application, session, live: bearer(applicationKey), trial: bearer(testKey) }
  }

  return { ctx, app, real, sandbox, wallet, call, create, ownerOf, openShop }
}
