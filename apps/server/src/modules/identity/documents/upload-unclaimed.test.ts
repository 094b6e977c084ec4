import { request as httpRequest } from 'node:http'
import { FileId } from '@muripo/contract/ids'
import { pdf } from '@muripo/testing/pdf'
import { afterEach, describe, expect, test } from 'vitest'
import { alterOnNodes } from '../../../../test/on-citus.ts'
import { form, statusOf, uploadServer } from '../../../../test/upload-server.ts'
import { createDiskSpace } from '../../../platform/files/disk-space.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makeIdentityApp } from '../factory.ts'
import { discardUnusedDocuments } from './actions/discard-documents.ts'
import { senderAt } from './actions/upload-document.ts'
import { readDocumentUrl } from './document-url.ts'
import { claimDocument, insertDocument } from './store-documents.ts'

const { ctx, url, storedFiles, upload } = await uploadServer()

test('while the disk is nearly full, uploads are refused before they are counted or read', async () => {
  const disk = createDiskSpace(ctx.config, ctx.log, async () => 0)
  await disk.measure()
  const app = await makeIdentityApp({ ...ctx, disk })
  const { rows: before } = await ctx.db.pool.query('select key, used from rate_limits order by key')
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/files/upload',
    headers: { 'x-api-key': ctx.keys.uploadKey, 'content-type': 'multipart/form-data; boundary=b' },
    payload: '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nx\r\n--b--\r\n',
  })
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('60')
  expect(answer.json()).toMatchObject({ code: 'storage_low' })
  const { rows: after } = await ctx.db.pool.query('select key, used from rate_limits order by key')
  expect(after).toEqual(before)
  expect(await storedFiles()).toEqual([])
  await app.close()
})

const MIB = 1024 ** 2
const GIB = 1024 ** 3
/** The address from which `upload` sends. */
const HERE = '127.0.0.1'
const GREEDY = '198.51.100.1'

describe('unclaimed documents', () => {
  afterEach(async () => {
    await alterOnNodes(ctx, 'alter table documents disable trigger documents_guard_claim')
    await ctx.db.kysely.deleteFrom('documents').execute()
    await alterOnNodes(ctx, 'alter table documents enable trigger documents_guard_claim')
  })

  const put = async (from: string, sizeBytes: number, id = ctx.ids.next(FileId)) => {
    const displaced = await ctx.db.tx((tx) =>
      insertDocument(tx, {
        id,
        storageKey: ctx.ids.bytes(16).toString('hex'),
        keyId: ctx.keys.ring.activeId,
        sizeBytes,
        sha256: Buffer.alloc(32),
        uploadedAt: ctx.clock.now(),
        sender: senderAt(ctx, from).hash,
      }),
    )
    ctx.clock.advance(1)
    return { id, displaced: displaced?.map((each) => each.id) ?? null }
  }
  const putMany = async (from: string, count: number, sizeBytes: number) => {
    const ids: FileId[] = []
    for (let n = 0; n < count; n += 1) ids.push((await put(from, sizeBytes)).id)
    return ids
  }
  const poolBytes = async () => {
    const { rows } = await ctx.db.pool.query<{ bytes: string }>(
      `select coalesce(sum(greatest(size_bytes, 65536)), 0) as bytes from documents
       where claimed_at is null and discarded_at is null`,
    )
    return Number(rows[0]?.bytes)
  }

  test('take a gigabyte at most: the oldest documents of the sender with the most bytes are displaced', async () => {
    const modest = await put(HERE, 9 * MIB)
    const greedy = await putMany(GREEDY, 112, 9 * MIB)
    expect(await poolBytes()).toBe(113 * 9 * MIB)
    // Another address of the same network is the same sender.
    expect(await put('198.51.100.77', 9 * MIB)).toMatchObject({ displaced: [greedy[0]] })
    expect(await put('2001:db8::1', 8 * MIB)).toMatchObject({ displaced: [greedy[1]] })
    expect(await put('203.0.113.9', 9 * MIB)).toMatchObject({ displaced: [greedy[2]] })
    expect(await poolBytes()).toBeLessThanOrEqual(GIB)
    await ctx.db.tx(async (tx) => {
      expect(await claimDocument(tx, modest.id, ctx.clock.now())).toBe(true)
      expect(await claimDocument(tx, greedy[0] as FileId, ctx.clock.now())).toBe(false)
    })
  })

  test('a sender that reaches the size of the largest displaces its own documents', async () => {
    const first = await putMany(HERE, 64, 8 * MIB)
    const second = await putMany(GREEDY, 64, 8 * MIB)
    expect(await poolBytes()).toBe(GIB)
    expect(await put(GREEDY, 8 * MIB)).toMatchObject({ displaced: [second[0]] })
    expect(await put(HERE, 8 * MIB)).toMatchObject({ displaced: [first[0]] })
  })

  test('of many senders with one document each the oldest is displaced, and a document has time to be claimed', async () => {
    const ids: FileId[] = []
    for (let n = 0; n < 128; n += 1) ids.push((await put(`10.0.${n}.1`, 8 * MIB)).id)
    const honest = await put(HERE, 8 * MIB)
    expect(honest.displaced).toEqual([ids[0]])
    for (let n = 0; n < 100; n += 1) await put(`10.1.${n}.1`, 8 * MIB)
    await ctx.db.tx(async (tx) => {
      expect(await claimDocument(tx, honest.id, ctx.clock.now())).toBe(true)
    })
  })

  test('as few documents as needed are displaced, and several small ones for a large one', async () => {
    for (let n = 0; n < 112; n += 1) await put(`10.0.${n}.1`, 9 * MIB)
    const small = await putMany(GREEDY, 150, 1)
    const { displaced } = await put(HERE, 9 * MIB)
    const excess = 112 * 9 * MIB + 150 * 65536 + 9 * MIB - GIB
    expect(displaced).toHaveLength(Math.ceil(excess / 65536))
    expect(new Set(displaced)).toEqual(new Set(small.slice(0, displaced?.length)))
  })

  test('stay below the limit under concurrent uploads', async () => {
    await put(GREEDY, GIB - 3 * 64 * 1024)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => upload(form(['file', pdf(), 'a.pdf']))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201))
    expect(await poolBytes()).toBe(12 * 65536)
    expect(await storedFiles()).toHaveLength(12)
  })

  test('a displaced document leaves no file', async () => {
    const { body } = await upload(form(['file', pdf(), 'a.pdf']))
    await put(GREEDY, GIB - 2 * 64 * 1024)
    await put(HERE, 1)
    await put('203.0.113.1', 1)
    expect(await storedFiles()).toHaveLength(1)
    await discardUnusedDocuments(ctx)
    const rows = await ctx.db.kysely
      .selectFrom('documents')
      .where('discarded_at', 'is not', null)
      .selectAll()
      .execute()
    expect(rows).toEqual([])
    const id = readDocumentUrl(ctx, body.url) as FileId
    await ctx.db.tx(async (tx) => expect(await claimDocument(tx, id, ctx.clock.now())).toBe(true))
    // The sender is deleted when the document is claimed.
    expect(
      await ctx.db.kysely
        .selectFrom('documents')
        .where('id', '=', uuidOf(id))
        .select('sender')
        .executeTakeFirst(),
    ).toEqual({ sender: null })
  })

  test('while 256 MiB of files cannot be removed, uploads are refused before they are read', async () => {
    await put(GREEDY, 256 * MIB)
    await ctx.db.pool.query('update documents set discarded_at = now()')
    expect(await upload(form(['file', pdf(), 'a.pdf']))).toMatchObject({
      status: 503,
      body: {
        code: 'uploads_full',
        message: 'No more documents can be taken at the moment. Please try again later',
      },
    })
    expect(await put(HERE, 1)).toMatchObject({ displaced: null })
    const outgoing = httpRequest(url, {
      method: 'POST',
      headers: {
        'x-api-key': ctx.keys.uploadKey,
        'content-length': '5000000',
        'content-type': 'multipart/form-data; boundary=b',
      },
    })
    outgoing.on('error', () => undefined)
    outgoing.flushHeaders()
    expect(await statusOf(outgoing)).toBe(503)
    outgoing.destroy()
    expect(await storedFiles()).toEqual([])
  })
})
