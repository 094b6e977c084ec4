import { type AccountId, ApplicationId, type MerchantId } from '@muripo/contract/ids'
import pino from 'pino'
import { makeApplication } from '../src/modules/applications/factory.ts'
import { lookupOf } from '../src/modules/applications/key.ts'
import { findKeyOwner, type KeyOwner } from '../src/modules/applications/store-keys.ts'
import { makeMerchant } from '../src/modules/identity/factory.ts'
import { type PaymentsCtx, paymentsCtx } from '../src/modules/payments/context.ts'
import { renew, type ScriptedProvider, scriptedProvider } from '../src/modules/payments/factory.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../src/platform/async/background-tasks.ts'
import { groupCtx, type TestCtx } from './test-ctx.ts'

export type WorldCtx = PaymentsCtx & Pick<TestCtx, 'clock' | 'databaseUrl' | 'mails' | 'close'>

/** A database, a scripted provider, and the logged errors. */
export interface World {
  readonly ctx: WorldCtx
  readonly provider: ScriptedProvider
  /** The messages logged as errors, oldest first. */
  readonly errors: string[]
}

/** On Citus, its payments are made in the sessions of their shard group. */
export const makeWorld = async (env?: Record<string, string>): Promise<World> => worldOf(await groupCtx(env))

export function worldOf(base: TestCtx): World {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => errors.push(JSON.parse(line).msg) })
  const provider = scriptedProvider()
  const payments = paymentsCtx({ ...base, log }, registryOf([provider.connector]), createBackgroundTasks(log))
  const { clock, databaseUrl, mails, close } = base
  return { ctx: { ...payments, clock, databaseUrl, mails, close }, provider, errors }
}

export interface Shop {
  readonly merchantId: MerchantId
  /** The merchant's own environment. */
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly applicationKey: string
  readonly owner: KeyOwner
}

/** A merchant with an application and its key. Each test has its own, so that tests of a file share a database. */
export async function makeShop(ctx: WorldCtx, merchantId?: MerchantId): Promise<Shop> {
  const merchant = merchantId ?? (await makeMerchant(ctx)).merchantId
  const { _id, applicationKey } = await makeApplication(ctx, merchant)
  if (applicationKey === null) throw new Error('an application of an approved merchant has its key')
  const owner = await findKeyOwner(ctx.db.kysely, lookupOf(ctx.keys, applicationKey), ctx.config.keyMode)
  if (owner === null) throw new Error('a new key has its owner')
  return {
    merchantId: merchant,
    accountId: merchant,
    applicationId: ApplicationId.parse(_id),
    applicationKey,
    owner,
  }
}

/** The shop of the next test, with the provider and the logged errors reset. */
export async function freshShop({ ctx, provider, errors }: World): Promise<Shop> {
  errors.length = 0
  renew(provider)
  return makeShop(ctx)
}
