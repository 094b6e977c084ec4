import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { AccountId, ApplicationId, type FileId } from '@muripo/contract/ids'
import { pdf } from '@muripo/testing/pdf'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { asAdmin, inDatabase } from '../../test/admin.ts'
import { auditEntriesOn } from '../../test/audit-entries.ts'
import { skipOnCitus } from '../../test/on-citus.ts'
import { testCtx } from '../../test/test-ctx.ts'
import { unreadableKeys } from '../../test/unreadable-keys.ts'
import { encryptedValues } from '../encrypted-values.ts'
import { makeApplication } from '../modules/applications/factory.ts'
import { encryptedKeys } from '../modules/applications/index.ts'
import { senderAt, uploadDocument } from '../modules/identity/documents/actions/upload-document.ts'
import { readDocumentUrl } from '../modules/identity/documents/document-url.ts'
import { encryptedDocuments } from '../modules/identity/documents/encrypted-documents.ts'
import { findTotp, upsertTotp } from '../modules/identity/factors/store-factors.ts'
import { decryptTotpSecret, encryptTotpSecret } from '../modules/identity/factors/totp.ts'
import { makeMerchant } from '../modules/identity/factory.ts'
import { accountRows } from '../modules/providers/store-accounts.ts'
import { variablesIn } from '../modules/providers/stored-accounts.ts'
import { decryptSecret } from '../modules/webhooks/endpoints/secrets.ts'
import { findCallableEndpoints } from '../modules/webhooks/endpoints/store-endpoints.ts'
import { makeNewEndpoint } from '../modules/webhooks/factory.ts'
import { requireMasterKeys } from '../platform/crypto/encrypted-values.ts'
import { masterKeyId } from '../platform/crypto/key-ring.ts'
import type { Keys } from '../platform/crypto/keys.ts'
import { openLiveKeys } from '../platform/crypto/live-keys.ts'
import { loadKeys } from '../platform/crypto/root-secret.ts'
import { createDatabase } from '../platform/db/database.ts'
import { createFiles } from '../platform/files/files.ts'
import { idFrom, uuidOf } from '../platform/ids.ts'
import { createLog } from '../platform/log.ts'
import { runCommand } from './run-command.ts'

const closed: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closed.reverse()) await close()
})

const [old, next] = [randomBytes(32), randomBytes(32)]

/** A database with values of every kind under the first of two master keys. */
async function makeDeployment() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-keys-'))
  closed.push(() => rmSync(dataDir, { recursive: true }))
  const base = await testCtx({ MURIPO_DATA: dataDir })
  closed.push(base.close)
  const envOf = (key: Buffer, ...earlier: readonly Buffer[]) => ({
    DATABASE_URL: base.databaseUrl,
    MURIPO_DATA: dataDir,
    MURIPO_MASTER_KEY: key.toString('base64'),
    ...(earlier.length > 0 && {
      MURIPO_EARLIER_MASTER_KEYS: earlier.map((each) => each.toString('base64')).join(),
    }),
  })
  const adminWith =
    (env: Record<string, string>, input?: string) =>
    (...words: readonly string[]) =>
      runCommand(words, {
        account: 'till',
        machine: 'counter',
        env,
        input: input === undefined ? null : async () => input,
      })
  const ctxWith = (keys: Keys) => ({
    ...base,
    keys,
    files: createFiles(base.config, keys.fileEncryption, base.clock),
  })
  const ctx = ctxWith(await loadKeys(base.db.kysely, [old]))
  const { merchantId, personId } = await makeMerchant(ctx)
  const totp = Buffer.alloc(20, 7)
  const encryptedTotp = encryptTotpSecret(ctx.keys, personId, totp)
  await base.db.tx((tx) => upsertTotp(tx, personId, encryptedTotp, base.clock.now()))
  const applicationId = (await makeApplication(ctx, merchantId))._id as ApplicationId
  const { url } = await uploadDocument(ctx, pages(), senderAt(ctx, '203.0.113.1'))
  const documentId = readDocumentUrl(ctx, url) as FileId
  const owner = { accountId: AccountId.parse(merchantId), applicationId, mode: 'test' } as const
  const { endpoint, secret } = await makeNewEndpoint(ctx, owner, 'https://shop.example/hooks')
  const variables = ['PAYNOW_EMAIL=shop@example.com', 'PAYNOW_USD_ID=7001', 'PAYNOW_USD_KEY=k']
  const set = adminWith(envOf(old), variables.join('\n'))
  expect((await set('providers', 'set', 'paynow-shop', '--reason', 'The second shop.')).code).toBe(0)

  const documentRow = () =>
    base.db.kysely
      .selectFrom('documents')
      .selectAll()
      .where('id', '=', uuidOf(documentId))
      .executeTakeFirstOrThrow()
  /** Decrypts everything that the database contains with these master keys. */
  async function readAll(masterKeys: readonly Buffer[], url = base.databaseUrl, filesOf = base.config) {
    const db = createDatabase(url, { maxConnections: 1 })
    try {
      const keys = await loadKeys(db.kysely, masterKeys)
      await requireMasterKeys(db.kysely, keys.ring, encryptedValues)
      const { storage_key } = await db.kysely
        .selectFrom('documents')
        .select('storage_key')
        .where('id', '=', uuidOf(documentId))
        .executeTakeFirstOrThrow()
      const files = createFiles(filesOf, keys.fileEncryption, base.clock)
      const [found] = await findCallableEndpoints(db.kysely, [endpoint], base.clock.now())
      const [account] = await accountRows(db.kysely)
      const stored = await findTotp(db.kysely, personId)
      return {
        totp: stored && decryptTotpSecret(keys, personId, stored.secret),
        unreadable: await unreadableKeys(db.pool, keys),
        document: Buffer.concat(await Array.fromAsync(await files.read(storage_key))),
        secrets: found?.encryptedSecrets.map(
          (each) => `whsec_${decryptSecret(keys, endpoint.accountId, endpoint.id, each).toString('base64')}`,
        ),
        account: account && variablesIn(keys, account),
      }
    } finally {
      await db.close()
    }
  }
  const everything = {
    totp,
    unreadable: [],
    document: pdf(),
    secrets: [secret],
    account: { PAYNOW_EMAIL: 'shop@example.com', PAYNOW_USD_ID: '7001', PAYNOW_USD_KEY: 'k' },
  }
  return { ctx, base, dataDir, envOf, adminWith, ctxWith, documentRow, readAll, everything }
}

async function* pages(): AsyncGenerator<Buffer> {
  yield pdf()
}

const idOf = masterKeyId

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof message === 'number') throw new Error('the process has ended')
  return message
}

test('everything is encrypted again, the earlier key is no longer needed, and what is derived stays', async () => {
  const { ctx, envOf, adminWith, dataDir, readAll, everything, documentRow } = await makeDeployment()
  expect(await readAll([old])).toEqual(everything)
  const before = await documentRow()
  const rotated = await adminWith(envOf(next, old))('master-keys', 'rotate')
  expect(rotated).toEqual({
    code: 0,
    output: expect.stringContaining(`Everything is encrypted with the master key ${idOf(next)}`),
  })
  expect(await readAll([next])).toEqual(everything)
  await expect(readAll([old])).rejects.toThrow(
    `the database is encrypted with the master key ${idOf(next)}, which is neither`,
  )
  const keys = await loadKeys(ctx.db.kysely, [next])
  const { ring: _one, applicationKeyEncryption: _two, fileEncryption: _three, ...rest } = keys
  const { webhookSecretEncryption: _four, providerAccountEncryption: _five, ...others } = rest
  const { retainedNumberEncryption: _six, totpSecretEncryption: _seven, ...derived } = others
  for (const [name, value] of Object.entries(derived))
    if (name !== 'jobEncryption') expect(ctx.keys[name as keyof typeof derived], name).toEqual(value)
  // One file is left of the document, under another name.
  const after = await documentRow()
  expect(after).toMatchObject({ spare_key: null, key_id: idOf(next) })
  expect(after.storage_key).not.toBe(before.storage_key)
  expect(readdirSync(path.join(dataDir, 'files'))).toEqual([after.storage_key])
  expect(await auditEntriesOn(ctx, idOf(next))).toMatchObject([
    { action: 'master_key.activated', actor: 'till', details: {} },
  ])

  // A second run finds nothing to do and writes no entry.
  expect(await adminWith(envOf(next, old))('master-keys', 'rotate')).toEqual(rotated)
  expect(await auditEntriesOn(ctx, idOf(next))).toHaveLength(1)
  expect(await documentRow()).toEqual(after)
  expect((await adminWith(envOf(next))('master-keys', 'list')).output).toBe(
    [
      idOf(next),
      '  Encrypts  new values, and the root secret',
      '  Values    1 accounts at providers, 1 webhook secrets, 1 application keys, 2 documents, 1 secrets of authenticator apps',
    ].join('\n'),
  )
})

test('two processes create and read keys during a rotation, and nothing is lost', async () => {
  const { ctx, base, envOf, adminWith, readAll, everything } = await makeDeployment()
  // The first key of a process is the one that will be active.
  const file = fileURLToPath(new URL('../../test/encrypting-process.ts', import.meta.url))
  const children = [1, 2].map(() =>
    fork(file, [], { execArgv: [], env: { ...envOf(next, old), RATE_LIMITS: '100' } }),
  )
  for (const child of children) closed.push(() => child.kill())
  await Promise.all(children.map(messageOf))
  const rotate = () => adminWith(envOf(next, old))('master-keys', 'rotate')
  const both = await Promise.all([rotate(), rotate()])
  expect(both.map(({ code, output }) => [code, output])).toEqual([
    [0, expect.any(String)],
    [0, expect.any(String)],
  ])
  const reports = await Promise.all(
    children.map(async (child) => {
      child.send('stop')
      return (await messageOf(child)) as { applications: string[]; unreadable: number; activeId: string }
    }),
  )
  // A value that a process began to encrypt before the change is found by another run.
  expect((await rotate()).code).toBe(0)
  expect(reports.map(({ unreadable, activeId }) => [unreadable, activeId])).toEqual([
    [0, idOf(next)],
    [0, idOf(next)],
  ])
  const { rows } = await base.db.pool.query<{ application_id: string }>(
    'select distinct application_id from application_keys where encrypted is not null',
  )
  const stored = new Set(rows.map(({ application_id }) => idFrom(ApplicationId, application_id)))
  for (const { applications } of reports)
    expect(applications.filter((id) => !stored.has(id as never))).toEqual([])
  expect(await readAll([next])).toEqual(everything)
  expect(await unreadableKeys(ctx.db.pool, await loadKeys(ctx.db.kysely, [next]))).toEqual([])
})

describe('a rotation that is interrupted', () => {
  test('continues, and leaves no file behind', async () => {
    const { ctx, base, ctxWith, envOf, adminWith, dataDir, readAll, everything, documentRow } =
      await makeDeployment()
    const keys = await loadKeys(base.db.kysely, [next, old])
    keys.ring.setActive({ activeId: idOf(next), firstId: idOf(old) })
    const half = ctxWith(keys)
    await encryptedKeys.reencrypt(half, null)
    const first = (await documentRow()).storage_key
    const crash = (at: 'copy' | 'discard') => ({
      ...half,
      files: {
        ...half.files,
        async [at](name: string, ...rest: [number, string]) {
          if (name === first) throw new Error('killed')
          return half.files[at](name, ...rest)
        },
      },
    })
    // Between the name of the new file and its content, and between its content and the removal of the earlier one.
    await expect(encryptedDocuments.reencrypt(crash('copy'), null)).rejects.toThrow('killed')
    expect((await documentRow()).spare_key).not.toBeNull()
    expect(await readAll([old, next])).toEqual(everything)
    await expect(encryptedDocuments.reencrypt(crash('discard'), null)).rejects.toThrow('killed')
    expect(await readAll([old, next])).toEqual(everything)
    await expect(requireMasterKeys(ctx.db.kysely, ctx.keys.ring, encryptedValues)).rejects.toThrow(
      `1 application keys, 2 documents are encrypted with the master key ${idOf(next)}, which is neither`,
    )
    expect((await adminWith(envOf(next, old))('master-keys', 'rotate')).code).toBe(0)
    expect(await readAll([next])).toEqual(everything)
    expect(readdirSync(path.join(dataDir, 'files'))).toEqual([(await documentRow()).storage_key])
  })

  test('refuses a start without the earlier key', async () => {
    const { base, envOf, adminWith, ctxWith, readAll } = await makeDeployment()
    expect((await adminWith(envOf(next, old))('master-keys', 'rotate')).code).toBe(0)
    const late = await loadKeys(base.db.kysely, [old, next])
    late.ring.setActive({ activeId: idOf(old), firstId: idOf(old) })
    await encryptedKeys.reencrypt(ctxWith(late), null)
    await expect(readAll([next])).rejects.toThrow(
      `1 application keys are encrypted with the master key ${idOf(old)}, which is neither MURIPO_MASTER_KEY nor one of MURIPO_EARLIER_MASTER_KEYS`,
    )
    const list = await adminWith(envOf(next))('master-keys', 'list')
    expect(list.output).toContain(
      `${idOf(old)}\n  Encrypts  nothing new\n  Known     no: it is not in the environment\n  Values    1 application keys`,
    )
  })
})

test('a master key becomes active only when every running process has it', async () => {
  const { base, envOf, adminWith } = await makeDeployment()
  const open = (...masterKeys: Buffer[]) =>
    openLiveKeys(base.databaseUrl, base.db, masterKeys, createLog('silent'))
  const [first, second] = [await open(old), await open(next, old)]
  closed.push(second.close)
  expect(second.keys.ring.activeId).toBe(idOf(old))
  const rotate = () => adminWith(envOf(next, old))('master-keys', 'rotate')
  expect(await rotate()).toEqual({
    code: 1,
    output: `One running process does not have the master key ${idOf(next)}: restart every process with the new environment first.`,
  })
  await first.close()
  expect((await rotate()).code).toBe(0)
  await expect.poll(() => second.keys.ring.activeId).toBe(idOf(next))
  expect(second.error()).toBeNull()
  await expect(open(old)).rejects.toThrow('is encrypted with the master key')
})

test(
  'a copy of the time before the rotation is read with its key, and with no other one',
  skipOnCitus('the copy is of a database on one node'),
  async () => {
    const { base, envOf, adminWith, dataDir, readAll, everything } = await makeDeployment()
    const name = `${new URL(base.databaseUrl).pathname.slice(1)}_copy`
    const copyDir = mkdtempSync(path.join(tmpdir(), 'muripo-keys-copy-'))
    closed.push(() => rmSync(copyDir, { recursive: true }))
    cpSync(dataDir, copyDir, { recursive: true })
    const source = new URL(base.databaseUrl).pathname.slice(1)
    await asAdmin(
      inject('adminUrl'),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${source}'`,
    )
    await asAdmin(inject('adminUrl'), `create database ${name} template ${source}`)
    closed.push(() => asAdmin(inject('adminUrl'), `drop database ${name} with (force)`))
    expect((await adminWith(envOf(next, old))('master-keys', 'rotate')).code).toBe(0)
    const restored = [inDatabase(inject('adminUrl'), name), { ...base.config, dataDir: copyDir }] as const
    expect(await readAll([old], ...restored)).toEqual(everything)
    await expect(readAll([next], ...restored)).rejects.toThrow('is encrypted with the master key')
  },
)
