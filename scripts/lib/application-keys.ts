import { lookupOf } from '../../apps/server/src/modules/applications/encrypted-key.ts'
import { newKey } from '../../apps/server/src/modules/applications/key.ts'
import { deriveKeys, developmentMasterKey } from '../../apps/server/src/platform/crypto/keys.ts'
import { systemIds } from '../../apps/server/src/platform/ids.ts'

/** Test keys for applications that a tool writes into the database of the gateway of a data directory. */
export function newApplicationKeys(dataDir: string, count: number): { key: string; lookup: Buffer }[] {
  const keys = deriveKeys(developmentMasterKey(dataDir))
  return Array.from({ length: count }, () => {
    const key = newKey(systemIds, 'test')
    return { key, lookup: lookupOf(keys, key) }
  })
}
