import { createKeyRing, masterKeyId } from '../src/platform/crypto/key-ring.ts'
import { deriveKeys, type Keys } from '../src/platform/crypto/keys.ts'

/** The master key that all processes of one test share. */
export const testMasterKey = Buffer.from('a master key that is for tests..', 'latin1')

/** The secrets of a database whose first master key this is. The template of the test databases is one without a root secret. */
export function keysOf(masterKey: Buffer): Keys {
  const id = masterKeyId(masterKey)
  return deriveKeys(createKeyRing([masterKey], { activeId: id, firstId: id }), masterKey)
}
