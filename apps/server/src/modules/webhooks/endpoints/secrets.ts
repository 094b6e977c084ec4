import { createHmac } from 'node:crypto'
import type { AccountId, WebhookId } from '@muripo/contract/ids'
import type { Keys } from '../../../platform/crypto/keys.ts'
import { open, seal } from '../../../platform/crypto/seal.ts'
import { invariant } from '../../../platform/errors.ts'
import type { Ids } from '../../../platform/ids.ts'

/** As https://www.standardwebhooks.com has it: what begins a secret, and what the secret itself is 24 to 64 bytes of. */
const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (ids: Ids): Buffer => ids.bytes(SECRET_BYTES)
export const shownSecret = (secret: Buffer): string => PREFIX + secret.toString('base64')

const contextOf = (accountId: AccountId, id: WebhookId): string => `webhook-secret:${accountId}:${id}`

export const sealSecret = (keys: Keys, accountId: AccountId, id: WebhookId, secret: Buffer): Buffer =>
  seal(keys.webhookSecretSeal, secret, contextOf(accountId, id))

export function openSecret(keys: Keys, accountId: AccountId, id: WebhookId, sealed: Buffer): Buffer {
  const secret = open(keys.webhookSecretSeal, sealed, contextOf(accountId, id))
  invariant(secret !== null, `the secret of ${id} opens with the master key that sealed it`)
  return secret
}

/** The headers that let an endpoint know whose word this is: a signature by each secret, the newest first. */
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
