import { PDF_MAX_BYTES } from '@muripo/contract/constants'
import { FileId } from '@muripo/contract/ids'
import { checkPdf } from '@muripo/pdf-guard/check-pdf'
import { createFairSemaphore } from '../../../../platform/async/fair-semaphore.ts'
import { hmac } from '../../../../platform/crypto/keys.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { ReceivedFile } from '../../../../platform/files/received-files.ts'
import { coarse } from '../../../../platform/http/network.ts'
import { documentUrl } from '../document-url.ts'
import { deleteDocument, insertDocument } from '../store-documents.ts'
import { pdfEnds } from '../upload-stream.ts'
import { removeDiscarded } from './discard-documents.ts'

/**
 * The sender of an upload: the widest network that one subscriber gets easily, an IPv4 /24 or an IPv6 /48, so that a sender with many
 * addresses counts as one. The database stores a keyed hash of the network only.
 */
export interface Sender {
  readonly network: string
  readonly hash: Buffer
}

export function senderAt(ctx: Ctx, address: string): Sender {
  const network = coarse(address)
  return { network, hash: hmac(ctx.keys.limitKey, `uploads of ${network}`) }
}

/**
 * A check may hold a whole document in memory, so checks run one at a time, and senders take turns. The route limits the number of each
 * sender.
 */
const withCheckPermit = createFairSemaphore({ permits: 1, waiting: 50, perSubject: 50 })

/** Stores an identification document and returns the address with which one sign-up can claim it. */
export async function uploadDocument(
  ctx: Ctx,
  source: AsyncIterable<Buffer>,
  sender: Sender,
): Promise<{ url: string }> {
  const received = await ctx.files.receive(pdfEnds(source), PDF_MAX_BYTES)
  try {
    const rejection = await withCheckPermit(sender.network, () => checkPdf(received.path))
    if (rejection !== null) throw new AppError(rejection)
    return { url: documentUrl(ctx, await storeDocument(ctx, received, sender)) }
  } finally {
    await received.discard()
  }
}

/** The file store refuses deletions at present, so the pool stays full until files are removed. */
export const uploadsFull = () => new AppError('uploads_full', { headers: { 'retry-after': '600' } })

/** Commits the row before it stores the file, so that after a crash the row names the file to remove. */
async function storeDocument(ctx: Ctx, received: ReceivedFile, sender: Sender): Promise<FileId> {
  const id = ctx.ids.next(FileId)
  const storageKey = ctx.ids.bytes(16).toString('hex')
  const keyId = ctx.keys.ring.activeId
  const { sizeBytes, sha256 } = received
  const uploadedAt = ctx.clock.now()
  const displaced = await ctx.db.tx((tx) =>
    insertDocument(tx, { id, storageKey, keyId, sizeBytes, sha256, uploadedAt, sender: sender.hash }),
  )
  if (displaced === null) throw uploadsFull()
  await removeDiscarded(ctx, displaced)
  try {
    await ctx.files.keep(storageKey, received)
  } catch (error) {
    ctx.log.error({ err: error }, 'a document could not be stored')
    try {
      await ctx.files.discard(storageKey)
      await deleteDocument(ctx.db.kysely, id)
    } catch (other) {
      ctx.log.error(
        { err: other, document: id },
        'the file of a refused upload is removed with the unclaimed documents',
      )
    }
    throw new AppError('service_unavailable')
  }
  return id
}
