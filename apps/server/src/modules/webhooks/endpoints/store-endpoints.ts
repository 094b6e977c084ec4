import {
  type AccountId,
  type ApplicationId,
  MerchantId,
  type PersonId,
  type WebhookId,
} from '@muripo/contract/ids'
import type { WebhookStatus } from '@muripo/contract/webhook-enums'
import type { PublicWebhookQuery } from '@muripo/contract/webhooks'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { type EventOwner, pageById } from '../events/store-events.ts'
import { endpoints } from '../tables.ts'

export type Endpoint = EntityOf<typeof endpoints>

const select = (db: Queryable, { accountId, applicationId }: EventOwner) =>
  db
    .selectFrom('webhook_endpoints')
    .select(endpoints.names)
    .where('account_id', '=', uuidOf(accountId))
    .where('application_id', '=', uuidOf(applicationId))
    .where('deleted_at', 'is', null)

export async function insertEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx
    .insertInto('webhook_endpoints')
    .values({ ...endpoints.row(endpoint), updated_at: endpoint.createdAt })
    .execute()
}

export async function listEndpoints(db: Queryable, owner: EventOwner): Promise<Endpoint[]> {
  const rows = await select(db, owner).orderBy('id', 'desc').execute()
  return rows.map(endpoints.read)
}

/** In both environments. */
const ofMerchant = (db: Queryable, merchantId: MerchantId) =>
  db
    .selectFrom('webhook_endpoints')
    .select(endpoints.names)
    .where('account_id', 'in', (environments) =>
      environments.selectFrom('environments').select('id').where('merchant_id', '=', uuidOf(merchantId)),
    )
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')

/** The endpoints of an application in both environments of its merchant. */
export async function allEndpoints(
  db: Queryable,
  { merchantId, applicationId }: { readonly merchantId: MerchantId; readonly applicationId: ApplicationId },
): Promise<Endpoint[]> {
  const rows = await ofMerchant(db, merchantId).where('application_id', '=', uuidOf(applicationId)).execute()
  return rows.map(endpoints.read)
}

/** The endpoints that a person made for a merchant, the newest first. */
export async function endpointsMadeBy(
  db: Queryable,
  merchantId: MerchantId,
  personId: PersonId,
): Promise<Pick<Endpoint, 'id' | 'url' | 'applicationId'>[]> {
  const rows = await ofMerchant(db, merchantId).where('created_by', '=', uuidOf(personId)).execute()
  return rows.map(endpoints.read).map(({ id, url, applicationId }) => ({ id, url, applicationId }))
}

export async function pageOfEndpoints(
  db: Queryable,
  owner: EventOwner,
  page: PublicWebhookQuery,
): Promise<Endpoint[]> {
  return (await pageById(select(db, owner), 'id', page)).map(endpoints.read)
}

export async function findEndpoint(
  db: Queryable,
  owner: EventOwner,
  id: WebhookId,
): Promise<Endpoint | null> {
  const row = await select(db, owner).where('id', '=', uuidOf(id)).executeTakeFirst()
  return row ? endpoints.read(row) : null
}

/** As findEndpoint, with a lock until the transaction ends. */
export async function lockEndpoint(tx: Tx, owner: EventOwner, id: WebhookId): Promise<Endpoint | null> {
  const row = await select(tx, owner).where('id', '=', uuidOf(id)).forNoKeyUpdate().executeTakeFirst()
  return row ? endpoints.read(row) : null
}

export async function updateEndpoint(
  tx: Tx,
  { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>,
  change: Partial<Pick<Endpoint, 'url' | 'events' | 'status'>> & { deletedAt?: Date },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({
      updated_at: at,
      // A new address must be proven again, and an enabled endpoint gets another chance.
      ...(change.url !== undefined && { url: change.url, proven_at: null, failures_before_proof: 0 }),
      ...(change.events !== undefined && { events: [...change.events] }),
      ...(change.status !== undefined && { status: change.status, failures_before_proof: 0 }),
      ...(change.deletedAt !== undefined && { deleted_at: change.deletedAt }),
    })
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    .execute()
}

/** Changes the status if it is one of `from`. False otherwise: a concurrent change committed first. */
export async function moveEndpoint(
  tx: Tx,
  { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>,
  from: readonly WebhookStatus[],
  to: WebhookStatus,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_endpoints')
    .set({ status: to, updated_at: at })
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    .where('status', 'in', from)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records the first 2xx of an endpoint. */
export async function proveEndpoint(
  db: Queryable,
  { accountId, id, url }: Pick<Endpoint, 'accountId' | 'id' | 'url'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ proven_at: at })
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    // The answer may come from an earlier address of the endpoint.
    .where('url', '=', url)
    .where('proven_at', 'is', null)
    .execute()
}

/** Counts a failed delivery attempt of an endpoint that has not answered with a 2xx yet, and returns the count; 0 once it has. */
export async function countFailureBeforeProof(
  tx: Tx,
  { accountId, id, url }: Pick<Endpoint, 'accountId' | 'id' | 'url'>,
): Promise<number> {
  const row = await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ failures_before_proof: eb('failures_before_proof', '+', 1) }))
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    .where('url', '=', url)
    .where('proven_at', 'is', null)
    .returning('failures_before_proof')
    .executeTakeFirst()
  return row?.failures_before_proof ?? 0
}

/** Deletes endpoints that were deleted before a time, with all their rows. */
export async function purgeDeletedEndpoints(db: Queryable, before: Date): Promise<void> {
  await db.deleteFrom('webhook_endpoints').where('deleted_at', '<', before).execute()
}

/** An endpoint with the secrets that sign its deliveries now, the newest first. */
export interface CallableEndpoint extends Endpoint {
  /** The merchant behind both environments. */
  readonly merchantId: MerchantId
  /** Whether it has ever answered with a 2xx. */
  readonly isProven: boolean
  readonly encryptedSecrets: readonly Buffer[]
}

/** The existing endpoints among these, of any merchant: deliveries name them. */
export async function findCallableEndpoints(
  db: Queryable,
  keys: readonly { readonly accountId: AccountId; readonly id: WebhookId }[],
  now: Date,
): Promise<CallableEndpoint[]> {
  const rows = await db
    .selectFrom('webhook_endpoints as w')
    .innerJoin('environments as b', 'b.id', 'w.account_id')
    .selectAll('w')
    .select('b.merchant_id')
    // The house has no applications, and so no endpoints.
    .$narrowType<{ merchant_id: string }>()
    .where((eb) =>
      eb(
        eb.refTuple('w.account_id', 'w.id'),
        'in',
        keys.map(({ accountId, id }) => eb.tuple(uuidOf(accountId), uuidOf(id))),
      ),
    )
    .execute()
  const secrets = await db
    .selectFrom('webhook_secrets')
    .select(['endpoint_id', 'encrypted'])
    .where((eb) =>
      eb(
        eb.refTuple('account_id', 'endpoint_id'),
        'in',
        keys.map(({ accountId, id }) => eb.tuple(uuidOf(accountId), uuidOf(id))),
      ),
    )
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('id', 'desc')
    .execute()
  const encrypted = Map.groupBy(secrets, ({ endpoint_id }) => endpoint_id)
  return rows.map((row) => ({
    ...endpoints.read(row),
    merchantId: idFrom(MerchantId, row.merchant_id),
    isProven: row.proven_at !== null,
    encryptedSecrets: (encrypted.get(row.id) ?? []).map((secret) => secret.encrypted),
  }))
}

/** An endpoint of any merchant, as an operator sees it. */
export interface EndpointAnywhere extends Endpoint {
  readonly isTest: boolean
  /** Deliveries that are still tried. */
  readonly pending: number
  readonly changedAt: Date
}

interface Wanted {
  readonly accountId?: AccountId | undefined
  readonly id?: WebhookId | undefined
  readonly merchantId?: MerchantId | undefined
  readonly statuses?: readonly WebhookStatus[] | undefined
  readonly limit: number
}

/** Endpoints of all merchants, those that changed last first. */
export async function endpointsAnywhere(
  db: Queryable,
  { accountId, id, merchantId, statuses, limit }: Wanted,
): Promise<EndpointAnywhere[]> {
  let query = db
    .selectFrom('webhook_endpoints as w')
    .innerJoin('environments as b', 'b.id', 'w.account_id')
    .selectAll('w')
    .select([
      sql<boolean>`b.kind = 'tests'`.as('is_test'),
      sql<number>`(select count(*)::int from webhook_deliveries d
        where d.account_id = w.account_id and d.endpoint_id = w.id and d.next_attempt_at is not null)`.as(
        'pending',
      ),
    ])
    .where('w.deleted_at', 'is', null)
  if (accountId) query = query.where('w.account_id', '=', uuidOf(accountId))
  if (id) query = query.where('w.id', '=', uuidOf(id))
  if (merchantId) query = query.where('b.merchant_id', '=', uuidOf(merchantId))
  if (statuses) query = query.where('w.status', 'in', [...statuses])
  const rows = await query.orderBy('w.updated_at', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    ...endpoints.read(row),
    isTest: row.is_test,
    pending: row.pending,
    changedAt: row.updated_at,
  }))
}

/** Ends the endpoints of environments, without their addresses and secrets. Their deliveries are deleted with the events. */
export async function eraseEndpoints(tx: Tx, environments: readonly string[], at: Date): Promise<void> {
  await tx.deleteFrom('webhook_secrets').where('account_id', 'in', environments).execute()
  await tx
    .updateTable('webhook_endpoints')
    .set({
      url: 'https://erased.invalid/',
      deleted_at: sql`coalesce(deleted_at, ${at})`,
      updated_at: at,
    })
    .where('account_id', 'in', environments)
    .execute()
}
