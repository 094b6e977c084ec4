import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pdf } from '@muripo/testing/pdf'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../../../test/test-ctx.ts'
import { signUp } from '../../accounts/actions/sign-up.ts'
import { makeMerchant } from '../../factory.ts'
import { DAY_MS, HOUR_MS } from '../../throttles.ts'
import { discardUnusedDocuments } from './discard-documents.ts'
import { senderAt, uploadDocument } from './upload-document.ts'

let dataDir: string
let ctx: TestCtx

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muripo-unused-'))
  ctx = await testCtx({ MURIPO_DATA: dataDir })
})
afterAll(async () => {
  await ctx.close()
  await rm(dataDir, { recursive: true })
})
beforeEach(async () => {
  ctx.clock.advance(2 * DAY_MS)
  await discardUnusedDocuments(ctx)
})

async function upload(context = ctx): Promise<string> {
  async function* source(): AsyncGenerator<Buffer> {
    yield pdf()
  }
  return (await uploadDocument(context, source(), senderAt(ctx, '203.0.113.1'))).url
}

let count = 0
const openAccount = (identificationDocumentPdf: string) => {
  count += 1
  return signUp(
    ctx,
    {
      role: 'merchant',
      accountType: 'business',
      fullname: 'Tariro Moyo',
      email: `tariro-${count}@example.co.zw`,
      password: 'a long sentence',
      phonenumber: '0771234567',
      identificationDocumentType: 'tax_id',
      identificationDocumentPdf,
    },
    { address: '203.0.113.1', requestId: 'request-1' },
  )
}

const unclaimed = () =>
  ctx.db.kysely.selectFrom('documents').selectAll().where('claimed_at', 'is', null).execute()
const claimedFiles = async () =>
  (
    await ctx.db.kysely
      .selectFrom('documents')
      .select('storage_key')
      .where('claimed_at', 'is not', null)
      .execute()
  )
    .map(({ storage_key: name }) => name)
    .toSorted()
const filesLeft = async () => (await readdir(join(dataDir, 'files'))).toSorted()

test('a document without an account after an hour is deleted, row and file, and a claimed one stays', async () => {
  const used = await upload()
  const unused = await upload()
  await openAccount(used)
  ctx.clock.advance(HOUR_MS)
  const late = await upload()
  await discardUnusedDocuments(ctx)
  expect(await unclaimed()).toHaveLength(2)
  ctx.clock.advance(1)
  await discardUnusedDocuments(ctx)
  await discardUnusedDocuments(ctx)
  expect(await unclaimed()).toHaveLength(1)
  await expect(openAccount(unused)).rejects.toMatchObject({ code: 'document_invalid' })
  await openAccount(late)
  expect(await unclaimed()).toEqual([])
  expect(await filesLeft()).toEqual(await claimedFiles())
})

test.each([
  ['the file was not removed yet', { discard: () => Promise.reject(new Error('killed')) }],
  [
    'the file was removed and the row was not',
    {
      async discard(name: string) {
        await ctx.files.discard(name)
        throw new Error('killed')
      },
    },
  ],
])(
  'the next round completes one that ended when %s, and no account can claim a half-deleted document',
  async (_when, broken) => {
    const url = await upload()
    ctx.clock.advance(2 * DAY_MS)
    await discardUnusedDocuments({ ...ctx, files: { ...ctx.files, ...broken } })
    expect(await unclaimed()).toHaveLength(1)
    await expect(openAccount(url)).rejects.toMatchObject({ code: 'document_invalid' })
    await discardUnusedDocuments(ctx)
    expect(await unclaimed()).toEqual([])
    expect(await filesLeft()).toEqual(await claimedFiles())
  },
)

test('an upload that was killed between its row and its file is cleaned up', async () => {
  const killed = { keep: () => new Promise<never>(() => undefined) }
  void upload({ ...ctx, files: { ...ctx.files, ...killed } } as TestCtx)
  await expect.poll(unclaimed).toHaveLength(1)
  ctx.clock.advance(2 * DAY_MS)
  await discardUnusedDocuments(ctx)
  expect(await unclaimed()).toEqual([])
  expect(await filesLeft()).toEqual(await claimedFiles())
})

test('an upload whose file cannot be stored is refused and leaves nothing', async () => {
  const full = {
    async keep(name: string) {
      await writeFile(join(dataDir, 'files', name), 'the first half')
      throw new Error('ENOSPC')
    },
  }
  await expect(upload({ ...ctx, files: { ...ctx.files, ...full } } as TestCtx)).rejects.toMatchObject({
    code: 'service_unavailable',
  })
  expect(await unclaimed()).toEqual([])
  expect(await filesLeft()).toEqual(await claimedFiles())
})

test('a partial file that cannot be deleted is deleted with the unclaimed documents', async () => {
  const away = {
    async keep(name: string) {
      await writeFile(join(dataDir, 'files', name), 'the first half')
      throw new Error('gone')
    },
    discard: () => Promise.reject(new Error('gone')),
  }
  await expect(upload({ ...ctx, files: { ...ctx.files, ...away } } as TestCtx)).rejects.toMatchObject({
    code: 'service_unavailable',
  })
  expect(await unclaimed()).toHaveLength(1)
  ctx.clock.advance(2 * DAY_MS)
  await discardUnusedDocuments(ctx)
  expect(await unclaimed()).toEqual([])
  expect(await filesLeft()).toEqual(await claimedFiles())
})

test('of a concurrent claim and deletion exactly one happens', async () => {
  const urls = await Promise.all(Array.from({ length: 8 }, () => upload()))
  ctx.clock.advance(2 * DAY_MS)
  const opened = Promise.allSettled(urls.map(openAccount))
  await Promise.all([discardUnusedDocuments(ctx), discardUnusedDocuments(ctx), opened])
  await discardUnusedDocuments(ctx)
  expect(await unclaimed()).toEqual([])
  expect(await filesLeft()).toEqual(await claimedFiles())
  for (const name of await filesLeft()) await readFile(join(dataDir, 'files', name))
})

test('the database refuses to delete or discard the document of an account', async () => {
  await makeMerchant(ctx)
  const statements = [
    'delete from documents where claimed_at is not null',
    'update documents set claimed_at = null where claimed_at is not null',
    'update documents set discarded_at = now() where claimed_at is not null',
    `update merchants set document_id = (select id from documents where claimed_at is null limit 1)`,
  ]
  await upload()
  for (const statement of statements) await expect(ctx.db.pool.query(statement), statement).rejects.toThrow()
})
