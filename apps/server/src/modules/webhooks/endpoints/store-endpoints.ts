import { ApplicationId, MerchantId, type SecretId, WebhookId } from '@muripo/contract/ids'
import type { PublicWebhookQuery } from '@muripo/contract/webhooks'
import type { EventType, WebhookStatus } from '@muripo/contract/words'
import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { WebhookEndpoints } from '../../../platform/db/schema.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { type EventOwner, pageById } from '../events/store-events.ts'

export interface Endpoint {
  readonly merchantId: MerchantId
  readonly id: WebhookId
  readonly applicationId: ApplicationId
  readonly url: string
  readonly events: readonly EventType[]
  readonly status: WebhookStatus
  readonly createdAt: Date
  readonly deleted: boolean
}

const toEndpoint = (row: Selectable<WebhookEndpoints>): Endpoint => ({
  merchantId: idFrom(MerchantId, row.merchant_id),
  id: idFrom(WebhookId, row.id),
  applicationId: idFrom(ApplicationId, row.application_id),
  url: row.url,
  events: row.events as EventType[],
  status: row.status as WebhookStatus,
  createdAt: row.created_at,
  deleted: row.deleted_at !== null,
})

const select = (db: Queryable, { merchantId, applicationId }: EventOwner) =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('application_id', '=', uuidOf(applicationId))
    .where('deleted_at', 'is', null)

export async function insertEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx
    .insertInto('webhook_endpoints')
    .values({
      merchant_id: uuidOf(endpoint.merchantId),
      id: uuidOf(endpoint.id),
      application_id: uuidOf(endpoint.applicationId),
      url: endpoint.url,
      events: [...endpoint.events],
      status: endpoint.status,
      created_at: endpoint.createdAt,
      updated_at: endpoint.createdAt,
    })
    .execute()
}

export async function listEndpoints(db: Queryable, owner: EventOwner): Promise<Endpoint[]> {
  const rows = await select(db, owner).orderBy('id', 'desc').execute()
  return rows.map(toEndpoint)
}

/** With those of the merchant's other environment. */
export async function allEndpoints(db: Queryable, owner: EventOwner): Promise<Endpoint[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('merchant_id', 'in', (environments) =>
      environments
        .selectFrom('environments')
        .select('id')
        .where('merchant_id', '=', uuidOf(owner.merchantId)),
    )
    .where('application_id', '=', uuidOf(owner.applicationId))
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toEndpoint)
}

export async function pageOfEndpoints(
  db: Queryable,
  owner: EventOwner,
  page: PublicWebhookQuery,
): Promise<Endpoint[]> {
  return (await pageById(select(db, owner), 'id', page)).map(toEndpoint)
}

export async function findEndpoint(
  db: Queryable,
  owner: EventOwner,
  id: WebhookId,
): Promise<Endpoint | null> {
  const row = await select(db, owner).where('id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toEndpoint(row) : null
}

/** As findEndpoint; until the transaction ends it stays as it is. */
export async function lockEndpoint(tx: Tx, owner: EventOwner, id: WebhookId): Promise<Endpoint | null> {
  const row = await select(tx, owner).where('id', '=', uuidOf(id)).forNoKeyUpdate().executeTakeFirst()
  return row ? toEndpoint(row) : null
}

export async function updateEndpoint(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
  change: Partial<Pick<Endpoint, 'url' | 'events' | 'status'>> & { deletedAt?: Date },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({
      updated_at: at,
      // Another address has to prove itself again, and one that is turned on again gets another chance.
      ...(change.url !== undefined && { url: change.url, proven_at: null, failures_before_proof: 0 }),
      ...(change.events !== undefined && { events: [...change.events] }),
      ...(change.status !== undefined && { status: change.status, failures_before_proof: 0 }),
      ...(change.deletedAt !== undefined && { deleted_at: change.deletedAt }),
    })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .execute()
}

/** From one of these states to another. False when it is in none of them: somebody else was sooner. */
export async function moveEndpoint(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
  from: readonly WebhookStatus[],
  to: WebhookStatus,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_endpoints')
    .set({ status: to, updated_at: at })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .where('status', 'in', from)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records the first 2xx of an endpoint. */
export async function proveEndpoint(
  db: Queryable,
  { merchantId, id, url }: Pick<Endpoint, 'merchantId' | 'id' | 'url'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ proven_at: at })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    // The answer may be that of an address which the endpoint had before.
    .where('url', '=', url)
    .where('proven_at', 'is', null)
    .execute()
}

/** Counts a failed delivery attempt of an endpoint that has not answered with a 2xx yet, and returns the count; 0 once it has. */
export async function countFailureBeforeProof(
  tx: Tx,
  { merchantId, id, url }: Pick<Endpoint, 'merchantId' | 'id' | 'url'>,
): Promise<number> {
  const row = await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ failures_before_proof: eb('failures_before_proof', '+', 1) }))
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .where('url', '=', url)
    .where('proven_at', 'is', null)
    .returning('failures_before_proof')
    .executeTakeFirst()
  return row?.failures_before_proof ?? 0
}

/** Those that were deleted before a time. */
export async function forgetDeletedEndpoints(db: Queryable, before: Date): Promise<void> {
  await db.deleteFrom('webhook_endpoints').where('deleted_at', '<', before).execute()
}

export async function insertSecret(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
  secret: { id: SecretId; sealed: Buffer; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('webhook_secrets')
    .values({
      merchant_id: uuidOf(merchantId),
      endpoint_id: uuidOf(id),
      id: uuidOf(secret.id),
      sealed: secret.sealed,
      created_at: secret.createdAt,
    })
    .execute()
}

/** The secret in force signs until then; those that no longer do are deleted. */
export async function retireSecrets(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
  now: Date,
  until: Date,
): Promise<void> {
  await tx
    .deleteFrom('webhook_secrets')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('endpoint_id', '=', uuidOf(id))
    .where('expires_at', '<=', now)
    .execute()
  await tx
    .updateTable('webhook_secrets')
    .set({ expires_at: until })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('endpoint_id', '=', uuidOf(id))
    .where('expires_at', 'is', null)
    .execute()
}

export async function deleteSecrets(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
): Promise<void> {
  await tx
    .deleteFrom('webhook_secrets')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('endpoint_id', '=', uuidOf(id))
    .execute()
}

/** Until when an earlier secret of each endpoint signs too, of those that have one. */
export async function overlapsOf(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly WebhookId[],
  now: Date,
): Promise<ReadonlyMap<WebhookId, Date>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('webhook_secrets')
    .select((eb) => ['endpoint_id', eb.fn.max('expires_at').as('until')])
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('endpoint_id', 'in', ids.map(uuidOf))
    .where('expires_at', '>', now)
    .groupBy('endpoint_id')
    .execute()
  return new Map(
    rows.flatMap(({ endpoint_id, until }) =>
      until === null ? [] : [[idFrom(WebhookId, endpoint_id), until] as const],
    ),
  )
}

/** An endpoint with what its deliveries are signed with now, the newest secret first. */
export interface CallableEndpoint extends Endpoint {
  /** The merchant behind both environments. */
  readonly accountId: MerchantId
  /** Whether it has ever answered with a 2xx. */
  readonly isProven: boolean
  readonly sealedSecrets: readonly Buffer[]
}

/** Those of these that are there, of whichever merchant: their deliveries name them. */
export async function findCallableEndpoints(
  db: Queryable,
  keys: readonly { readonly merchantId: MerchantId; readonly id: WebhookId }[],
  now: Date,
): Promise<CallableEndpoint[]> {
  const endpoints = await db
    .selectFrom('webhook_endpoints as w')
    .innerJoin('environments as b', 'b.id', 'w.merchant_id')
    .selectAll('w')
    .select('b.merchant_id as account_id')
    .where((eb) =>
      eb(
        eb.refTuple('w.merchant_id', 'w.id'),
        'in',
        keys.map(({ merchantId, id }) => eb.tuple(uuidOf(merchantId), uuidOf(id))),
      ),
    )
    .execute()
  const secrets = await db
    .selectFrom('webhook_secrets')
    .select(['endpoint_id', 'sealed'])
    .where((eb) =>
      eb(
        eb.refTuple('merchant_id', 'endpoint_id'),
        'in',
        keys.map(({ merchantId, id }) => eb.tuple(uuidOf(merchantId), uuidOf(id))),
      ),
    )
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('id', 'desc')
    .execute()
  const sealed = Map.groupBy(secrets, ({ endpoint_id }) => endpoint_id)
  return endpoints.map((row) => ({
    ...toEndpoint(row),
    accountId: idFrom(MerchantId, row.account_id),
    isProven: row.proven_at !== null,
    sealedSecrets: (sealed.get(row.id) ?? []).map((secret) => secret.sealed),
  }))
}
