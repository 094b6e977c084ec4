import { encryptedKeys } from './modules/applications/index.ts'
import { encryptedDocuments, encryptedTotpSecrets } from './modules/identity/index.ts'
import { encryptedNumbers } from './modules/payments/index.ts'
import { encryptedSettings } from './modules/providers/index.ts'
import { encryptedSecrets } from './modules/webhooks/index.ts'
import type { EncryptedValues } from './platform/crypto/encrypted-values.ts'

/** Everything that is stored under a master key. */
export const encryptedValues: readonly EncryptedValues[] = [
  encryptedSettings,
  encryptedSecrets,
  encryptedKeys,
  encryptedDocuments,
  encryptedNumbers,
  encryptedTotpSecrets,
]
