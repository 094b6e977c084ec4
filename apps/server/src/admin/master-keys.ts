import { encryptedValues } from '../encrypted-values.ts'
import { audit } from '../platform/audit/audit.ts'
import { type KeyUse, keyUses, reencryptAll } from '../platform/crypto/encrypted-values.ts'
import { masterKeyId } from '../platform/crypto/key-ring.ts'
import { masterKeysOf } from '../platform/crypto/keys.ts'
import { activateMasterKey, activeKey } from '../platform/crypto/root-secret.ts'
import { type Command, type OperatorContext, Refused } from './command.ts'
import { block } from './print.ts'

export const masterKeyCommands: readonly Command[] = [
  {
    words: 'master-keys list',
    does: 'list the master keys by id: the active one, and the values that are encrypted with each',
    run: list,
  },
  {
    words: 'master-keys rotate',
    does: 'make MURIPO_MASTER_KEY the active master key and encrypt all values with it; continues after an interruption',
    run: rotate,
  },
]

/** Values that were being written when the key changed are found in the next round. */
const ROUNDS = 5

async function list({ ctx }: OperatorContext): Promise<string> {
  const { ring } = ctx.keys
  const uses = await keyUses(ctx.db.kysely, ring, encryptedValues)
  const known = ring.masterKeys.map(masterKeyId)
  return [...new Set([...known, ...uses.map(({ keyId }) => keyId)])]
    .map((id) =>
      block(id, [
        ['Encrypts', id === ring.activeId ? 'new values, and the root secret' : 'nothing new'],
        ['Known', ring.has(id) ? '' : 'no: it is not in the environment'],
        [
          'Values',
          uses
            .find(({ keyId }) => keyId === id)
            ?.values.map(counted)
            .join(', ') ?? 'none',
        ],
      ]),
    )
    .join('\n\n')
}

async function rotate({ ctx, operator }: OperatorContext): Promise<string> {
  const { keys, db } = ctx
  const [chosen] = masterKeysOf(ctx.config)
  if (chosen === undefined) throw new Refused('There is no master key.')
  const id = masterKeyId(chosen)
  await db.tx(async (tx) => {
    if (await activateMasterKey(tx, keys.ring, id))
      await audit(ctx, tx, operator, { action: 'master_key.activated', subject: id, accountId: null })
  })
  keys.ring.setActive(await activeKey(db.kysely))
  let others: readonly KeyUse[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await reencryptAll(ctx, encryptedValues)
    others = (await keyUses(db.kysely, keys.ring, encryptedValues)).filter(({ keyId }) => keyId !== id)
    if (others.length === 0)
      return `Everything is encrypted with the master key ${id}. MURIPO_EARLIER_MASTER_KEYS may be removed; keep the earlier key with the backups of its time.`
  }
  const left = others.flatMap(({ values }) => values.map(counted)).join(', ')
  throw new Refused(`Still encrypted with another master key: ${left}. Run the command again.`)
}

const counted = ({ name, count }: KeyUse['values'][number]): string => `${count} ${name}`
