import { encryptedValues } from '../../encrypted-values.ts'
import type { GatewayConfig } from '../../gateway-config.ts'
import { keyUses } from '../../platform/crypto/encrypted-values.ts'
import { masterKeyId } from '../../platform/crypto/key-ring.ts'
import { masterKeysOf } from '../../platform/crypto/keys.ts'
import { processesWithout } from '../../platform/crypto/root-secret.ts'
import { openCtx } from '../context.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** The master keys of the environment against those that encrypt the database. */
export async function checkMasterKeys(config: GatewayConfig): Promise<Finding> {
  const ctx = await openCtx(config)
  try {
    const { ring } = ctx.keys
    const uses = await keyUses(ctx.db.kysely, ring, encryptedValues)
    const countOf = (isCounted: (keyId: string) => boolean): number =>
      uses
        .filter(({ keyId }) => isCounted(keyId))
        .flatMap(({ values }) => values)
        .reduce((sum, { count }) => sum + count, 0)
    const unknown = countOf((keyId) => !ring.has(keyId))
    if (unknown > 0)
      return failure(
        'master key',
        `${unknown} values are encrypted with a key that is not in the environment`,
      )
    const without = await processesWithout(ctx.db.kysely, ring.activeId)
    if (without > 0) return failure('master key', `${without} processes do not have the active key`)
    const [chosen] = masterKeysOf(config)
    if (chosen !== undefined && masterKeyId(chosen) !== ring.activeId)
      return warning(
        'master key',
        'MURIPO_MASTER_KEY is not active yet: start every process with it, then run `npm run admin -- master-keys rotate`',
      )
    const earlier = countOf((keyId) => keyId !== ring.activeId)
    return earlier > 0
      ? warning(
          'master key',
          `${earlier} values are encrypted with an earlier key: run \`npm run admin -- master-keys rotate\` again`,
        )
      : ok('master key', `${ring.activeId} encrypts everything`)
  } finally {
    await ctx.db.close()
  }
}
