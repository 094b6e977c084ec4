import type { DocumentType } from '@muripo/contract/auth'
import { FileId, MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

/** What nobody has claimed may take so much in all. */
const UNCLAIMED_BYTES = 1024 ** 3
/** A small file costs as much as this: a row and a name. So there are at most 16,384 that nobody has claimed. */
const LEAST_BYTES = 64 * 1024
const ONE_AT_A_TIME = 'muripo:unclaimed-documents'

export interface NewDocument {
  readonly id: FileId
  /** What the file is kept under. */
  readonly storageKey: string
  readonly sizeBytes: number
  readonly sha256: Buffer
  readonly uploadedAt: Date
}

/** Whether there was room for it among those that nobody has claimed. */
export async function insertDocument(tx: Tx, document: NewDocument): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext(${ONE_AT_A_TIME}))`.execute(tx)
  const bytes = Math.max(document.sizeBytes, LEAST_BYTES)
  if ((await unclaimedBytes(tx)) + bytes > UNCLAIMED_BYTES) return false
  await tx
    .insertInto('documents')
    .values({
      id: uuidOf(document.id),
      storage_key: document.storageKey,
      size_bytes: document.sizeBytes,
      sha256: document.sha256,
      uploaded_at: document.uploadedAt,
    })
    .execute()
  return true
}

export const isRoomLeft = async (q: Queryable): Promise<boolean> =>
  (await unclaimedBytes(q)) + LEAST_BYTES <= UNCLAIMED_BYTES

async function unclaimedBytes(q: Queryable): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(greatest(size_bytes, ${LEAST_BYTES}::int)), 0)::text as bytes
    from documents where claimed_at is null`.execute(q)
  return Number(rows[0]?.bytes)
}

/** Part of opening an account with it. False when it is not there, another account has it, or it is being removed. */
export async function claimDocument(tx: Tx, id: FileId, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('documents')
    .set({ claimed_at: at })
    .where('id', '=', uuidOf(id))
    .where('claimed_at', 'is', null)
    .where('discarded_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether an account could claim it now. */
export async function isFreeDocument(q: Queryable, id: FileId): Promise<boolean> {
  const row = await q
    .selectFrom('documents')
    .where('id', '=', uuidOf(id))
    .where('claimed_at', 'is', null)
    .where('discarded_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

interface Discarded {
  readonly id: FileId
  readonly storageKey: string
}

/** Nobody can claim these any more; those of an earlier round that was not finished are among them. */
export async function markUnused(
  q: Queryable,
  uploadedBefore: Date,
  now: Date,
  limit: number,
): Promise<readonly Discarded[]> {
  const { rows } = await sql<{ id: string; storage_key: string }>`
    update documents set discarded_at = coalesce(discarded_at, ${now})
    where claimed_at is null and id in (
      select id from documents
      where claimed_at is null and (uploaded_at < ${uploadedBefore} or discarded_at is not null)
      order by uploaded_at limit ${limit}
      for update skip locked
    )
    returning id, storage_key`.execute(q)
  return rows.map((row) => ({ id: idFrom(FileId, row.id), storageKey: row.storage_key }))
}

/** Once its file is gone. */
export async function forgetDocument(q: Queryable, id: FileId): Promise<void> {
  await q.deleteFrom('documents').where('id', '=', uuidOf(id)).where('claimed_at', 'is', null).execute()
}

export interface KeptDocument {
  readonly id: FileId
  readonly storageKey: string
  readonly type: DocumentType
  readonly sizeBytes: number
  readonly sha256: Buffer
  readonly uploadedAt: Date
  readonly merchant: { readonly id: MerchantId; readonly fullname: string; readonly email: string }
}

const selectKept = (q: Queryable) =>
  q
    .selectFrom('documents')
    .innerJoin('merchants', 'merchants.document_id', 'documents.id')
    .select([
      'documents.id',
      'documents.storage_key',
      'documents.size_bytes',
      'documents.sha256',
      'documents.uploaded_at',
      'merchants.document_type',
      'merchants.id as merchant_id',
      'merchants.fullname',
      'merchants.email',
    ])

type KeptRow = Awaited<ReturnType<ReturnType<typeof selectKept>['executeTakeFirstOrThrow']>>

/** Of the newest accounts first, or of the one with this email. */
export async function documentsOfAccounts(
  q: Queryable,
  email: string | null,
  limit: number,
): Promise<readonly KeptDocument[]> {
  const rows = await selectKept(q)
    .$if(email !== null, (query) =>
      query.where((eb) =>
        eb(eb.fn('lower', ['merchants.email']), '=', eb.fn('lower', [eb.cast(eb.val(email), 'text')])),
      ),
    )
    .orderBy('merchants.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toKept)
}

export async function documentOfAccount(q: Queryable, id: FileId): Promise<KeptDocument | null> {
  const row = await selectKept(q).where('documents.id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toKept(row) : null
}

const toKept = (row: KeptRow): KeptDocument => ({
  id: idFrom(FileId, row.id),
  storageKey: row.storage_key,
  type: row.document_type as DocumentType,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  uploadedAt: row.uploaded_at,
  merchant: { id: idFrom(MerchantId, row.merchant_id), fullname: row.fullname, email: row.email },
})
