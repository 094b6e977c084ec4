import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FileId } from '@muripo/contract/ids'
import { pdf } from '@muripo/testing/pdf'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditEntriesOn } from '../../test/audit-entries.ts'
import { keysOf } from '../../test/master-key.ts'
import { type TestCtx, testCtx } from '../../test/test-ctx.ts'
import { signUp } from '../modules/identity/accounts/actions/sign-up.ts'
import { senderAt, uploadDocument } from '../modules/identity/documents/actions/upload-document.ts'
import { readDocumentUrl } from '../modules/identity/documents/document-url.ts'
import { developmentMasterKey } from '../platform/crypto/keys.ts'
import { createFiles } from '../platform/files/files.ts'
import { runCommand } from './run-command.ts'

let ctx: TestCtx
let dataDir: string
let folder: string
let count = 0

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-admin-'))
  const base = await testCtx({ MURIPO_DATA: dataDir, PASSWORD_MEMORY_MIB: '7' })
  // The command derives its key from the gateway's secrets, and decrypts only files that were encrypted with it.
  const keys = keysOf(developmentMasterKey(dataDir))
  ctx = { ...base, keys, files: createFiles(base.config, keys.fileEncryption, base.clock) }
})
afterAll(async () => {
  await ctx.close()
  rmSync(dataDir, { recursive: true })
})
beforeEach(() => {
  folder = mkdtempSync(path.join(dataDir, 'folder-'))
})

const admin = (...args: string[]) =>
  runCommand(args, {
    account: 'till',
    machine: 'counter',
    env: { DATABASE_URL: ctx.databaseUrl, MURIPO_DATA: dataDir, INIT_CWD: folder },
  })

async function makeAccount() {
  count += 1
  async function* source(): AsyncGenerator<Buffer> {
    yield pdf()
  }
  const { url } = await uploadDocument(ctx, source(), senderAt(ctx, '203.0.113.1'))
  const email = `rudo-${count}@example.co.zw`
  const { merchantId } = await signUp(
    ctx,
    {
      role: 'merchant',
      accountType: 'business',
      fullname: 'Rudo Chikomo',
      email,
      password: 'a long sentence',
      phonenumber: '0771234567',
      identificationDocumentType: 'certificate_of_incorporation',
      identificationDocumentPdf: url,
    },
    { address: '203.0.113.1', requestId: 'request-1' },
  )
  return { id: readDocumentUrl(ctx, url) as FileId, email, merchantId }
}

const auditEntries = async (id: FileId) =>
  (await auditEntriesOn(ctx, id)).map(({ actor, action, address }) => `${actor} ${action} ${address}`)

test('documents are listed with their owners, and one account is found by its email', async () => {
  const first = await makeAccount()
  const second = await makeAccount()
  const { code, output } = await admin('documents', 'list')
  expect(code).toBe(0)
  expect(output.match(/^fil_\w+/gm)).toEqual([second.id, first.id])
  expect(await admin('documents', 'list', '--of', first.email.toUpperCase())).toEqual({
    code: 0,
    output: expect.stringMatching(
      new RegExp(
        `^${first.id}\n  Merchant  Rudo Chikomo <${first.email}>\n  Document  certificate of incorporation, 1 kB, uploaded \\d+ days? ago$`,
      ),
    ),
  })
  expect((await admin('documents', 'list', '--of', 'nobody@example.com')).output).toBe(
    'Nobody has an account with the email nobody@example.com.',
  )
})

test('an unclaimed document is not shown', async () => {
  async function* source(): AsyncGenerator<Buffer> {
    yield pdf()
  }
  const { url } = await uploadDocument(ctx, source(), senderAt(ctx, '203.0.113.1'))
  const id = readDocumentUrl(ctx, url) as FileId
  expect((await admin('documents', 'list')).output).not.toContain(id)
  expect((await admin('documents', 'save', id, 'a.pdf')).output).toContain(`No account has a document ${id}`)
  expect(readdirSync(folder)).toEqual([])
})

test('each view of a document is recorded in the audit log', async () => {
  const { id, email, merchantId } = await makeAccount()
  const { code, output } = await admin('documents', 'show', id, '--as', 'Rudo')
  expect(code).toBe(0)
  expect(output).toMatch(
    new RegExp(
      [
        `^${id}`,
        `  Merchant  Rudo Chikomo <${email}>`,
        `  Account   ${merchantId}`,
        '  Document  certificate of incorporation',
        `  Size      1 kB \\(${pdf().length} bytes\\)`,
        '  Uploaded  2026-11-20T09:30:00.000Z, \\d+ days? ago',
        '  SHA-256   [0-9a-f]{64}',
        `  To read   npm run admin -- documents save ${id} FILE.pdf$`,
      ].join('\n'),
    ),
  )
  expect(await auditEntries(id)).toEqual(['Rudo document.shown till@counter'])
  expect((await admin('audit', 'list', '--about', merchantId)).output).toContain('document.shown')
})

test('a document is saved completely, for this account alone, in the working directory', async () => {
  const { id } = await makeAccount()
  const file = path.join(folder, 'rudo.pdf')
  expect(await admin('documents', 'save', id, 'rudo.pdf')).toEqual({
    code: 0,
    output: `Saved as ${file}\nIt is somebody's identity: remove it once you have seen it.`,
  })
  expect(readFileSync(file)).toEqual(pdf())
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await auditEntries(id)).toEqual(['till document.read till@counter'])
})

test('a document that cannot be saved is not read either', async () => {
  const { id } = await makeAccount()
  writeFileSync(path.join(folder, 'mine.pdf'), 'mine')
  expect(await admin('documents', 'save', id, 'mine.pdf')).toEqual({
    code: 1,
    output: `${path.join(folder, 'mine.pdf')} is there already, and nothing is written over it.`,
  })
  expect(readFileSync(path.join(folder, 'mine.pdf'), 'utf8')).toBe('mine')
  expect(await admin('documents', 'save', id, 'none/rudo.pdf')).toEqual({
    code: 1,
    output: `There is no folder ${path.join(folder, 'none')}.`,
  })
  expect(await auditEntries(id)).toEqual([])
})

test('a document that was tampered with is not saved', async () => {
  const { id } = await makeAccount()
  const { storage_key: name } = await ctx.db.kysely
    .selectFrom('documents')
    .select('storage_key')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const stored = readFileSync(path.join(dataDir, 'files', name))
  stored[100] = (stored[100] ?? 0) ^ 1
  writeFileSync(path.join(dataDir, 'files', name), stored)
  expect(await admin('documents', 'save', id, 'rudo.pdf')).toEqual({
    code: 1,
    output: `Document ${id} could not be read: the file is damaged, or was encrypted with another master key.`,
  })
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  [['show', 'passport'], 2, '"passport" is not the id of a document.'],
  [['save', `fil_${'0'.repeat(26)}`], 2, 'Usage: documents save ID FILE'],
  [
    ['show', `fil_${'0'.repeat(26)}`],
    1,
    `No account has a document fil_${'0'.repeat(26)}: documents list shows them.`,
  ],
])('documents %j is answered with the next step', async (args, code, output) => {
  expect(await admin('documents', ...args)).toEqual({ code, output: expect.stringContaining(output) })
})
