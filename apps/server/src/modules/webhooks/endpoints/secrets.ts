import { createHmac } from 'node:crypto'
import { AccountId, WebhookId } from '@muripo/contract/ids'
import { encryptedColumn } from '../../../platform/crypto/encrypted-values.ts'
import { decrypt, encrypt } from '../../../platform/crypto/encryption.ts'
import type { Keys } from '../../../platform/crypto/keys.ts'
import { invariant } from '../../../platform/errors.ts'
import { type Ids, idFrom } from '../../../platform/ids.ts'

/** The prefix of a secret, which has 24 to 64 bytes, as in https://www.standardwebhooks.com. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (ids: Ids): Buffer => ids.bytes(SECRET_BYTES)
export const shownSecret = (secret: Buffer): string => PREFIX + secret.toString('base64')

const contextOf = (accountId: AccountId, id: WebhookId): string => `webhook-secret:${accountId}:${id}`

export const encryptSecret = (keys: Keys, accountId: AccountId, id: WebhookId, secret: Buffer): Buffer =>
  encrypt(keys.webhookSecretEncryption, secret, contextOf(accountId, id))

export function decryptSecret(keys: Keys, accountId: AccountId, id: WebhookId, encrypted: Buffer): Buffer {
  const secret = decrypt(keys.webhookSecretEncryption, encrypted, contextOf(accountId, id))
  invariant(secret !== null, `the secret of ${id} is encrypted with a master key of this process`)
  return secret
}

/** The headers that prove the sender: a signature by each secret, the newest first. */
export function signedHeaders(
  secrets: readonly Buffer[],
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64'),
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}

export const encryptedSecrets = encryptedColumn({
  name: 'webhook secrets',
  table: 'webhook_secrets',
  column: 'encrypted',
  primaryKey: ['account_id', 'endpoint_id', 'id'],
  keys: (keys) => keys.webhookSecretEncryption,
  context: ({ account_id = '', endpoint_id = '' }) =>
    contextOf(idFrom(AccountId, account_id), idFrom(WebhookId, endpoint_id)),
})
