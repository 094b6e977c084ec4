import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pdf } from '@muripo/testing/pdf'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { identityServer } from '../../../../../test/identity-server.ts'
import { codeIn, wrongCode } from '../../../../../test/mailed-code.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { senderAt, uploadDocument } from '../../documents/actions/upload-document.ts'
import { makeMerchant, makeSession, runIdentityJobs } from '../../factory.ts'
import { DAY_MS, HOUR_MS } from '../../throttles.ts'
import { deleteUnprovenAccounts } from './delete-unproven-accounts.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'muripo-unproven-'))
afterAll(() => rm(dataDir, { recursive: true }))
const { ctx, app } = await identityServer({ MURIPO_DATA: dataDir })

async function* document(): AsyncGenerator<Buffer> {
  yield pdf()
}

let count = 0
let email: string
beforeEach(() => {
  count += 1
  email = `victim-${count}@example.co.zw`
  ctx.mails.length = 0
})

const password = 'a long sentence'
const post = async (path: string, payload: object) => {
  const response = await app.inject({ method: 'POST', url: `/v1/auth${path}`, payload })
  return { status: response.statusCode, body: response.json() }
}
const signUp = async () => {
  const { url } = await uploadDocument(ctx, document(), senderAt(ctx, '203.0.113.1'))
  return post('/signup', {
    role: 'merchant',
    accountType: 'business',
    fullname: 'A Stranger',
    email,
    password,
    phonenumber: '0771234567',
    identificationDocumentType: 'tax_id',
    identificationDocumentPdf: url,
  })
}
const lastCode = () => codeIn(ctx.mails.findLast(({ to }) => to === email)?.text)
const signIn = async () => {
  const { body } = await post('/signin', { email, password })
  return post(`/verify-otp/${body.otpId}`, { purpose: 'signin', otp: lastCode() })
}
const requestReset = async (): Promise<string> => {
  const { body } = await post('/password/forgot', { email })
  await runIdentityJobs(ctx)
  return body.otpId
}
const accounts = () => ctx.db.kysely.selectFrom('merchants').where('email', '=', email).selectAll().execute()
const files = () => readdir(join(dataDir, 'files'))

test('an account without any sign-in is deleted after 48 hours with its document, and its address is free', async () => {
  expect((await signUp()).status).toBe(201)
  await post('/signin', { email, password })
  expect(await signUp()).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  const before = await files()
  ctx.clock.advance(2 * DAY_MS - 1000)
  await deleteUnprovenAccounts(ctx)
  expect(await accounts()).toHaveLength(1)
  ctx.clock.advance(1000)
  await Promise.all([deleteUnprovenAccounts(ctx), deleteUnprovenAccounts(ctx), deleteUnprovenAccounts(ctx)])
  await deleteUnprovenAccounts(ctx)
  expect(await accounts()).toEqual([])
  expect((await files()).length).toBe(before.length - 1)
  const { rows } = await ctx.db.pool.query(
    `select action, count(*)::int as times from audit_log
     where action = 'account.deleted_unproven' group by action`,
  )
  expect(rows).toEqual([{ action: 'account.deleted_unproven', times: 1 }])
  expect((await signUp()).status).toBe(201)
  expect((await signIn()).status).toBe(200)
})

test('the first sign-in code proves the address, and the account stays', async () => {
  await signUp()
  expect(await accounts()).toMatchObject([{ proven_at: null }])
  expect((await signIn()).status).toBe(200)
  const [account] = await accounts()
  expect(account?.proven_at).toEqual(ctx.clock.now())
  ctx.clock.advance(HOUR_MS)
  expect((await signIn()).status).toBe(200)
  ctx.clock.advance(30 * DAY_MS)
  await deleteUnprovenAccounts(ctx)
  expect(await accounts()).toMatchObject([{ proven_at: account?.proven_at }])
})

test('a wrong code proves nothing', async () => {
  await signUp()
  const { body } = await post('/signin', { email, password })
  const wrong = wrongCode(lastCode())
  await post(`/verify-otp/${body.otpId}`, { purpose: 'signin', otp: wrong })
  expect(await accounts()).toMatchObject([{ proven_at: null }])
})

test.each(['code', 'link'])(
  'a reset with the %s removes an unproven account, and the owner of the mailbox inherits nothing',
  async (step) => {
    await signUp()
    const before = await files()
    const otpId = await requestReset()
    const mail = ctx.mails.findLast(({ to }) => to === email)
    expect(mail?.subject).toBe('Your Muripo account is not confirmed')
    const token = /#([\w-]{43})/.exec(mail?.text ?? '')?.[1]
    const newPassword = 'another long sentence'
    const answer =
      step === 'code'
        ? await post(`/password/setnew/${otpId}`, { otp: lastCode(), newPassword })
        : await post('/password/reset', { token, newPassword })
    expect(answer).toMatchObject({
      status: 409,
      body: {
        code: 'account_removed',
        message: 'Nobody had confirmed this account, so it was removed. Please sign up again',
      },
    })
    expect(await accounts()).toEqual([])
    expect((await files()).length).toBe(before.length - 1)
    for (const secret of [password, newPassword])
      expect((await post('/signin', { email, password: secret })).status).toBe(401)
    expect((await post('/password/reset', { token, newPassword })).status).toBe(410)
    // The code has ended too.
    expect((await post(`/password/setnew/${otpId}`, { otp: '123456', newPassword })).status).toBe(410)
    expect((await signUp()).status).toBe(201)
  },
)

test('deletion and first sign-in at the same moment: exactly one of the two happens', async () => {
  const signedIn = { status: 200, code: undefined, left: [{ proven_at: expect.any(Date) }] }
  const deleted = { status: 410, code: 'otp_expired', left: [] }
  for (let round = 0; round < 8; round += 1) {
    email = `race-${count}-${round}@example.co.zw`
    await signUp()
    ctx.clock.advance(2 * DAY_MS)
    const { body } = await post('/signin', { email, password })
    const [answer] = await Promise.all([
      post(`/verify-otp/${body.otpId}`, { purpose: 'signin', otp: lastCode() }),
      deleteUnprovenAccounts(ctx),
    ])
    const { status, body: reply } = answer
    const left = (await accounts()).map(({ proven_at }) => ({ proven_at }))
    expect([signedIn, deleted]).toContainEqual({ status, code: reply.code, left })
  }
})

test('one account that cannot be deleted does not prevent the deletion of others', async () => {
  await signUp()
  const stuck = email
  email = `other-${count}@example.co.zw`
  await signUp()
  ctx.clock.advance(2 * DAY_MS)
  const discard = ctx.files.discard
  let failures = 0
  const files = {
    ...ctx.files,
    async discard(name: string) {
      failures += 1
      if (failures === 1) throw new Error('gone')
      await discard(name)
    },
  }
  await deleteUnprovenAccounts({ ...ctx, files })
  expect(await accounts()).toEqual([])
  email = stuck
  expect(await accounts()).toEqual([])
  // The file that could not be removed belongs to the unclaimed documents.
  const { rows } = await ctx.db.pool.query(
    'select 1 from documents where claimed_at is null and discarded_at is not null',
  )
  expect(rows).toHaveLength(1)
})

test('the database refuses to delete a proven account, and to give anything to an unproven one', async () => {
  const proven = await makeMerchant(ctx)
  const unproven = await makeMerchant(ctx, { isProven: false })
  const id = uuidOf(proven.merchantId)
  await expect(
    ctx.db.pool.query('update merchants set proven_at = null where id = $1', [id]),
  ).rejects.toThrow('stays')
  await expect(ctx.db.pool.query('delete from environments where id = $1', [id])).rejects.toThrow()
  await expect(makeSession(ctx, unproven.merchantId)).rejects.toThrow('is not proven')
  await makeSession(ctx, proven.merchantId)
})
