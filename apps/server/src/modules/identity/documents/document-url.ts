import { FileId } from '@muripo/contract/ids'
import { parse, stringify } from 'uuid'
import { type DeterministicCipher, deterministicCipher } from '../../../platform/crypto/encryption.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

const cipherOf = (ctx: Ctx): DeterministicCipher =>
  deterministicCipher(ctx.keys.linkEncryption, 'identity:document-url', 16)

/**
 * The address of a document, with which one sign-up claims it. No route serves it. It contains the encrypted id, so a copy of the
 * database does not reveal it.
 */
export function documentUrl(ctx: Ctx, id: FileId): string {
  const token = cipherOf(ctx).encrypt(Buffer.from(parse(uuidOf(id))))
  return prefix(ctx) + token.toString('base64url')
}

/** The document of an address that this gateway issued; null for any other text. */
export function readDocumentUrl(ctx: Ctx, url: string): FileId | null {
  if (!url.startsWith(prefix(ctx))) return null
  const token = Buffer.from(url.slice(prefix(ctx).length), 'base64url')
  const plain = cipherOf(ctx).decrypt(token)
  if (plain === null) return null
  const id = idFrom(FileId, stringify(plain))
  // Base64 has several spellings of the same bytes; only the issued one is accepted.
  return url === documentUrl(ctx, id) ? id : null
}

const prefix = (ctx: Ctx): string => `${ctx.config.publicUrl}/v1/files/`
