import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import { hmac, type Keys } from '../../platform/crypto/keys.ts'
import { open, seal } from '../../platform/crypto/seal.ts'
import { invariant } from '../../platform/errors.ts'

const contextOf = (merchantId: MerchantId, applicationId: ApplicationId): string =>
  `application-key:${merchantId}:${applicationId}`

export const lookupOf = (keys: Keys, key: string): Buffer => hmac(keys.applicationKeyLookup, key)

export const sealKey = (
  keys: Keys,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  key: string,
): Buffer => seal(keys.applicationKeySeal, Buffer.from(key), contextOf(merchantId, applicationId))

export function openKey(
  keys: Keys,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  sealed: Buffer,
): string {
  const key = open(keys.applicationKeySeal, sealed, contextOf(merchantId, applicationId))
  invariant(key !== null, `the key of ${applicationId} opens with the master key that sealed it`)
  return key.toString()
}
