import { type AccountId, type SecretId, WebhookId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { Endpoint } from './store-endpoints.ts'

export async function insertSecret(
  tx: Tx,
  { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>,
  secret: { id: SecretId; encrypted: Buffer; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('webhook_secrets')
    .values({
      account_id: uuidOf(accountId),
      endpoint_id: uuidOf(id),
      id: uuidOf(secret.id),
      encrypted: secret.encrypted,
      created_at: secret.createdAt,
    })
    .execute()
}

/** The active secret signs until then; expired secrets are deleted. */
export async function retireSecrets(
  tx: Tx,
  { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>,
  now: Date,
  until: Date,
): Promise<void> {
  await tx
    .deleteFrom('webhook_secrets')
    .where('account_id', '=', uuidOf(accountId))
    .where('endpoint_id', '=', uuidOf(id))
    .where('expires_at', '<=', now)
    .execute()
  await tx
    .updateTable('webhook_secrets')
    .set({ expires_at: until })
    .where('account_id', '=', uuidOf(accountId))
    .where('endpoint_id', '=', uuidOf(id))
    .where('expires_at', 'is', null)
    .execute()
}

export async function deleteSecrets(
  tx: Tx,
  { accountId, id }: Pick<Endpoint, 'accountId' | 'id'>,
): Promise<void> {
  await tx
    .deleteFrom('webhook_secrets')
    .where('account_id', '=', uuidOf(accountId))
    .where('endpoint_id', '=', uuidOf(id))
    .execute()
}

/** The end of the overlap for each endpoint with an earlier secret that still signs. */
export async function overlapsOf(
  db: Queryable,
  accountId: AccountId,
  ids: readonly WebhookId[],
  now: Date,
): Promise<ReadonlyMap<WebhookId, Date>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('webhook_secrets')
    .select((eb) => ['endpoint_id', eb.fn.max('expires_at').as('until')])
    .where('account_id', '=', uuidOf(accountId))
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
