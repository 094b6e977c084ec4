import type { DocumentType } from '@muripo/contract/document-types'
import { FileId, MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { advisoryLocks } from '../../../platform/db/locks-and-channels.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { isOwnedBy } from '../persons/store-persons.ts'

/** The limit of all documents that can be claimed. */
const POOL_BYTES = 1024 ** 3
/** The limit of documents whose files are still to be removed, so that a file store that refuses deletions does not grow without end. */
const BACKLOG_BYTES = 256 * 1024 ** 2
/** The least that a document counts, because its row and its name take space too. So the pool has at most 16,384 documents. */
const LEAST_BYTES = 64 * 1024

export interface NewDocument {
  readonly id: FileId
  /** The name of the file in the file store. */
  readonly storageKey: string
  /** The master key that encrypts the file. */
  readonly keyId: string
  readonly sizeBytes: number
  readonly sha256: Buffer
  readonly uploadedAt: Date
  /** Keyed hash of the network that it came from. */
  readonly sender: Buffer
}

/**
 * Adds a document to the pool. When the pool is full, the oldest documents of the sender with the most bytes are discarded, so that a
 * sender who fills the pool displaces documents of its own only.
 * @returns the discarded documents, whose files the caller removes; null when too many files are still to be removed
 */
export async function insertDocument(tx: Tx, document: NewDocument): Promise<readonly Discarded[] | null> {
  await sql`select pg_advisory_xact_lock(hashtext(${advisoryLocks.unclaimedDocuments}))`.execute(tx)
  const pool = await poolBytes(tx)
  if (pool.discarded >= BACKLOG_BYTES) return null
  const bytes = Math.max(document.sizeBytes, LEAST_BYTES)
  const displaced: Discarded[] = []
  for (let excess = pool.claimable + bytes - POOL_BYTES; excess > 0; ) {
    const round = await displace(tx, document, bytes, excess)
    if (round.length === 0) return null
    for (const { freed, ...each } of round) {
      displaced.push(each)
      excess -= freed
    }
  }
  await tx
    .insertInto('documents')
    .values({
      id: uuidOf(document.id),
      storage_key: document.storageKey,
      key_id: document.keyId,
      size_bytes: document.sizeBytes,
      sha256: document.sha256,
      uploaded_at: document.uploadedAt,
      sender: document.sender,
    })
    .execute()
  return displaced
}

/** Marks documents of the largest sender, oldest first, until they make up `excess` bytes or the sender has no more. */
async function displace(
  tx: Tx,
  { sender, uploadedAt }: NewDocument,
  bytes: number,
  excess: number,
): Promise<(Discarded & { readonly freed: number })[]> {
  const { rows } = await sql<DiscardedRow & { bytes: number }>`
    with pool as (
      select id, sender, uploaded_at, greatest(size_bytes, ${LEAST_BYTES}::int) as bytes
      from documents where claimed_at is null and discarded_at is null
    ), largest as (
      select sender from pool group by sender
      order by sum(bytes) + case when sender = ${sender} then ${bytes}::int else 0 end desc, min(uploaded_at)
      limit 1
    ), oldest as (
      select pool.id, pool.bytes, sum(pool.bytes) over (order by pool.uploaded_at, pool.id) - pool.bytes as before
      from pool join largest on pool.sender is not distinct from largest.sender
    )
    update documents set discarded_at = ${uploadedAt} from oldest
    where documents.id = oldest.id and oldest.before < ${excess}::bigint
      and documents.claimed_at is null and documents.discarded_at is null
    returning documents.id, documents.storage_key, documents.spare_key, oldest.bytes`.execute(tx)
  return rows.map((row) => ({ ...toDiscarded(row), freed: row.bytes }))
}

/** Checked before a file is read: false while the pool takes no documents. */
export const isPoolOpen = async (q: Queryable): Promise<boolean> =>
  (await poolBytes(q)).discarded < BACKLOG_BYTES

async function poolBytes(q: Queryable): Promise<{ claimable: number; discarded: number }> {
  const { rows } = await sql<{ claimable: string; discarded: string }>`
    select coalesce(sum(bytes) filter (where discarded_at is null), 0)::text as claimable,
      coalesce(sum(bytes) filter (where discarded_at is not null), 0)::text as discarded
    from (
      select discarded_at, greatest(size_bytes, ${LEAST_BYTES}::int) as bytes from documents where claimed_at is null
    ) unclaimed`.execute(q)
  return { claimable: Number(rows[0]?.claimable), discarded: Number(rows[0]?.discarded) }
}

/** Claims a document for a new account. False when it does not exist, another account has it, or it is being removed. */
export async function claimDocument(tx: Tx, id: FileId, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('documents')
    .set({ claimed_at: at, sender: null })
    .where('id', '=', uuidOf(id))
    .where('claimed_at', 'is', null)
    .where('discarded_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** True when an account can claim the document. */
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

/** A document that cannot be claimed any more. */
export interface Discarded {
  readonly id: FileId
  /** The names of its file, and of a copy under another master key. */
  readonly storageKeys: readonly string[]
}

interface DiscardedRow {
  readonly id: string
  readonly storage_key: string
  readonly spare_key: string | null
}

const toDiscarded = (row: DiscardedRow): Discarded => ({
  id: idFrom(FileId, row.id),
  storageKeys: [row.storage_key, row.spare_key ?? []].flat(),
})

/** Ends the claim of a deleted account. */
export async function releaseDocument(tx: Tx, id: string): Promise<Discarded> {
  const { rows } = await sql<DiscardedRow>`
    update documents set claimed_at = null, discarded_at = muripo_now() where id = ${id}
    returning id, storage_key, spare_key`.execute(tx)
  const [document] = rows
  if (!document) throw new Error('an account has a document')
  return toDiscarded(document)
}

/** Marks old unclaimed documents, so that they cannot be claimed, and returns them with those of an unfinished earlier round. */
export async function markUnused(
  q: Queryable,
  uploadedBefore: Date,
  now: Date,
  limit: number,
): Promise<readonly Discarded[]> {
  const { rows } = await sql<DiscardedRow>`
    update documents set discarded_at = coalesce(discarded_at, ${now})
    where claimed_at is null and id in (
      select id from documents
      where claimed_at is null and (uploaded_at < ${uploadedBefore} or discarded_at is not null)
      order by uploaded_at limit ${limit}
      for update skip locked
    )
    returning id, storage_key, spare_key`.execute(q)
  return rows.map(toDiscarded)
}

/** Deletes the row once its file is removed. */
export async function deleteDocument(q: Queryable, id: FileId): Promise<void> {
  await q.deleteFrom('documents').where('id', '=', uuidOf(id)).where('claimed_at', 'is', null).execute()
}

/** The names of the files that documents refer to. */
export async function storedFiles(q: Queryable): Promise<readonly string[]> {
  const rows = await q
    .selectFrom('documents')
    .where('discarded_at', 'is', null)
    // The file of an erased merchant is gone, and its row stays.
    .where('id', 'not in', (eb) =>
      eb.selectFrom('merchants').select('document_id').where('erased_at', 'is not', null),
    )
    .select('storage_key')
    .execute()
  return rows.map((row) => row.storage_key)
}

export interface AccountDocument {
  readonly id: FileId
  readonly storageKey: string
  readonly type: DocumentType
  readonly sizeBytes: number
  readonly sha256: Buffer
  readonly uploadedAt: Date
  readonly merchant: { readonly id: MerchantId; readonly fullname: string; readonly email: string }
}

const selectStored = (q: Queryable) =>
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

type StoredRow = Awaited<ReturnType<ReturnType<typeof selectStored>['executeTakeFirstOrThrow']>>

/** Documents of the newest accounts first, or of the account with this email. */
export async function documentsOfAccounts(
  q: Queryable,
  email: string | null,
  limit: number,
): Promise<readonly AccountDocument[]> {
  const rows = await selectStored(q)
    .$if(email !== null, (query) => query.where(isOwnedBy(email ?? '')))
    .orderBy('merchants.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toStored)
}

export async function documentOfAccount(q: Queryable, id: FileId): Promise<AccountDocument | null> {
  const row = await selectStored(q).where('documents.id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toStored(row) : null
}

const toStored = (row: StoredRow): AccountDocument => ({
  id: idFrom(FileId, row.id),
  storageKey: row.storage_key,
  type: row.document_type as DocumentType,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  uploadedAt: row.uploaded_at,
  merchant: { id: idFrom(MerchantId, row.merchant_id), fullname: row.fullname, email: row.email },
})
