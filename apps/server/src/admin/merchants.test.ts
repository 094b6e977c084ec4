import type { Application } from '@muripo/contract/applications'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../test/audit-entries.ts'
import { liveGateway } from '../../test/live-gateway.ts'
import { testMasterKey } from '../../test/master-key.ts'
import { lastQueuedMail } from '../../test/queued-mail.ts'
import { terminalOf } from '../../test/terminal.ts'
import { updateBanking } from '../modules/applications/actions/update-banking.ts'
import { createCheckout } from '../modules/checkout/index.ts'
import { makeMerchant, makeSession } from '../modules/identity/factory.ts'
import { coordinatorOf } from '../platform/db/databases.ts'
import { recordMode } from '../platform/db/deployment-mode.ts'
import { uuidOf } from '../platform/ids.ts'

const { ctx, real, call, create } = await liveGateway()
await recordMode(coordinatorOf(ctx).db, 'live')
// The environment of the command does not contain the mode; the database does.
const { adminIn } = terminalOf(ctx.databaseUrl)
const admin = adminIn({ MURIPO_MASTER_KEY: testMasterKey.toString('base64') })

let merchant: Awaited<ReturnType<typeof makeMerchant>>
let session: { authorization: string }
beforeEach(async () => {
  merchant = await makeMerchant(ctx, { fullname: 'Rudo\u001b[31m Chikomo' })
  session = { authorization: `Bearer ${(await makeSession(ctx, merchant.merchantId)).authToken}` }
})

const bearer = (key: string | null) => ({ authorization: `Bearer ${key}` })
const addApplication = async (applicationName: string): Promise<Application> => {
  const form = { applicationName, description: 'Sells things', category: 'Retail' }
  return (await call<Application>('POST', '/v1/applications/create', session, form)).body
}
const read = async ({ _id }: Application): Promise<Application> =>
  (await call<Application>('GET', `/v1/applications/${_id}`, session)).body
const account = async () => (await call('GET', '/v1/account', session)).body
const reason = ['--reason', 'The documents are in order'] as const
/** Approves what `show` prints. A merchant without new names has no code. */
async function approve({ email }: { readonly email: string } = merchant) {
  const { output } = await admin('merchants', 'show', email)
  const seen = /--seen (\S+)/.exec(output)?.[1] ?? 'none'
  return admin('merchants', 'approve', email, '--seen', seen, ...reason)
}
const lastMail = () => lastQueuedMail(ctx)
const lastAuditEntry = async () => (await auditEntriesOn(ctx, merchant.merchantId)).at(-1)

test('a note is kept with its author, and shown with the merchant', async () => {
  const note = ['--note', 'Asked for the\nstamped certificate'] as const
  expect((await admin('merchants', 'note', merchant.email, ...note)).output).toContain(
    `The note is with ${merchant.merchantId}`,
  )
  expect((await admin('merchants', 'note', merchant.merchantId, '--note', ' ')).code).not.toBe(0)
  const { output } = await admin('merchants', 'show', merchant.email)
  expect(output).toMatch(/Note of \S+Z\n {2}By {4}\S.*\n {2}Text {2}Asked for the stamped certificate/)
  expect(await lastAuditEntry()).toMatchObject({
    action: 'operator.noted',
    details: { note: 'Asked for the stamped certificate' },
  })
})

describe('a merchant of a live gateway', () => {
  test('has only test keys until approved, and the command that show prints gives each application its live key', async () => {
    const application = await addApplication('Chikomo Grocers')
    expect(application).toMatchObject({ applicationKey: null, testKey: expect.stringMatching(/^mk_test_/) })
    expect((await create(bearer(application.testKey))).status).toBe(201)
    const regenerated = await call('PATCH', `/v1/applications/${application._id}/regenerate-key`, session)
    expect([regenerated.status, regenerated.body]).toMatchObject([
      403,
      { code: 'merchant_not_active', detail: 'Live keys exist once your account is approved' },
    ])

    const { output } = await admin('merchants', 'show', merchant.email.toUpperCase())
    for (const fact of [
      'Name        Rudo [31m Chikomo',
      `Email       ${merchant.email}`,
      'Phone       +263771234567',
      'Document    tax id, fil_',
      'Status      new',
      'Application  Chikomo Grocers',
      "Payers see   the merchant's name until this one is approved",
      'Banking      not configured',
    ]) {
      expect(output).toContain(fact)
    }
    const [, ...words] = /npm run admin -- (merchants) (approve) (\S+) (--seen) (\S+)/.exec(output) ?? []
    const approved = await admin(...words, ...reason, '--as', 'Tariro')
    expect(approved).toEqual({
      code: 0,
      output: `${merchant.merchantId} is approved. The merchant receives an email.\nPayers see: Rudo [31m Chikomo, Chikomo Grocers`,
    })
    const after = await read(application)
    expect(after).toMatchObject({
      applicationKey: expect.stringMatching(/^mk_live_/),
      testKey: application.testKey,
    })
    expect((await create(bearer(after.applicationKey))).status).toBe(201)
    expect((await addApplication('Another')).applicationKey).toMatch(/^mk_live_/)
    expect(await lastAuditEntry()).toMatchObject({
      action: 'merchant.approved',
      actor: 'Tariro',
      actor_kind: 'operator',
      details: {
        from: 'new',
        to: 'approved',
        reason: reason[1],
        names: [expect.any(String), 'Chikomo Grocers'],
      },
    })
    expect(await lastMail()).toMatchObject({
      to: merchant.email,
      subject: 'Your Muripo account is approved',
      text: expect.stringContaining(reason[1]),
    })
    expect((await approve()).output).toContain('The new names')
    expect((await approve()).output).toContain('is approved already')
  })

  test('is not approved under a name that changed after the operator read it', async () => {
    await addApplication('Chikomo Grocers')
    const { output } = await admin('merchants', 'show', merchant.merchantId)
    const seen = /--seen (\S+)/.exec(output)?.[1] ?? ''
    // The merchant chooses the names, and must not find others with the same code.
    expect(seen).toMatch(/^[0-9a-f]{64}$/)
    await addApplication('EcoCash Refunds')
    const approved = await admin('merchants', 'approve', merchant.email, '--seen', seen, ...reason)
    expect(approved).toMatchObject({
      code: 1,
      output: expect.stringContaining('Look again with merchants show'),
    })
    expect(await account()).toMatchObject({ status: 'new', gatewayMode: 'live' })
  })

  test('has its own name in prompts for an application that came after the approval, until that name is approved too', async () => {
    await approve()
    const application = await addApplication('Chikomo Refunds')
    const promptOf = async (reference: string): Promise<string | undefined> => {
      const { body } = await create(bearer(application.applicationKey), { reference })
      const form = new URLSearchParams({ method: 'ecocash', phone: '0771234567' })
      const token = body.payment_url.slice(body.payment_url.lastIndexOf('/') + 1)
      real.charges.length = 0
      expect(await createCheckout(ctx).submit(token, form)).toBeNull()
      return real.charges[0]?.shopName
    }
    expect(await promptOf('R1')).toContain('Chikomo')
    expect((await admin('merchants', 'list', '--status', 'waiting')).output).toMatch(
      new RegExp(`${merchant.merchantId}[^]*Waits for +your approval of the name or logo of an application`),
    )
    expect((await approve()).output).toContain('Chikomo Refunds')
    expect(await promptOf('R2')).toBe('Chikomo Refunds')
    expect(await lastAuditEntry()).toMatchObject({
      action: 'application.names_approved',
      details: { names: ['Chikomo Refunds'] },
    })
    expect(await lastMail()).toMatchObject({ text: expect.stringContaining('Chikomo Refunds') })
  })

  test('an application that is created while the approval runs has its live key in the end', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await makeMerchant(ctx)
      session = { authorization: `Bearer ${(await makeSession(ctx, other.merchantId)).authToken}` }
      const [application] = await Promise.all([addApplication(`Shop ${round}`), approve(other)])
      // The name came between the operator's look and the approval when the first one is refused.
      expect(await approve(other)).toMatchObject({ output: expect.stringMatching(/approved/) })
      expect((await read(application)).applicationKey).toMatch(/^mk_live_/)
    }
  })
})

test('suspend, resume and close are printed, audited with operator and reason, and mailed', async () => {
  const steps = [
    ['suspend', 'suspended', 'merchant.suspended', 'Your Muripo account is suspended'],
    ['resume', 'active again', 'merchant.resumed', 'Your Muripo account is active again'],
    ['suspend', 'suspended', 'merchant.suspended', 'Your Muripo account is suspended'],
    ['close', 'closed', 'merchant.closed', 'Your Muripo account is closed'],
  ] as const
  for (const [move, reported, action, subject] of steps) {
    const order = [
      'merchants',
      move,
      merchant.email,
      '--reason',
      `Because of ${move}`,
      '--as',
      'Tariro',
    ] as const
    expect(await admin(...order)).toEqual({
      code: 0,
      output: `${merchant.merchantId} is ${reported}. The merchant receives an email.`,
    })
    expect(await lastAuditEntry()).toMatchObject({
      action,
      actor: 'Tariro',
      details: { reason: `Because of ${move}` },
    })
    expect(await lastMail()).toMatchObject({
      to: merchant.email,
      subject,
      text: expect.stringContaining(`Because of ${move}`),
    })
    expect((await admin(...order)).output).toContain('Nothing has changed')
  }
  expect(await account()).toMatchObject({ status: 'closed', statusReason: 'Because of close' })
  expect((await admin('merchants', 'show', merchant.email)).output).toContain(
    'Because     Because of close (Tariro)',
  )
  expect(await admin('merchants', 'resume', merchant.email, ...reason)).toMatchObject({
    code: 1,
    output: expect.stringContaining('is closed: resume is not possible'),
  })
})

test('a resumed merchant has the earlier status: new, or approved with the same keys', async () => {
  const move = (verb: string) =>
    verb === 'approve' ? approve() : admin('merchants', verb, merchant.email, ...reason)
  await move('suspend')
  await move('resume')
  expect((await account()).status).toBe('new')
  await move('approve')
  const application = await addApplication('Shop')
  await move('suspend')
  expect(await call('POST', '/v1/applications/create', session, {})).toMatchObject({
    status: 403,
    body: { code: 'merchant_not_active' },
  })
  await move('resume')
  expect((await account()).status).toBe('approved')
  expect((await create(bearer(application.applicationKey))).status).toBe(201)
})

test('an operator stops an application, which its owner cannot activate, and activates it again', async () => {
  await approve()
  const application = await addApplication('Shop')
  const keys = [bearer(application.applicationKey), bearer(application.testKey)]
  const both = () => Promise.all(keys.map(async (key) => (await create(key)).status))
  expect(await both()).toEqual([201, 201])
  const stop = ['applications', 'stop', application._id, '--reason', 'Complaints'] as const
  expect((await admin(...stop)).output).toBe(`${application._id} is stopped. The merchant receives an email.`)
  expect(await both()).toEqual([403, 403])
  expect(await read(application)).toMatchObject({ status: 'inactive', stopReason: 'Complaints' })
  expect(await lastMail()).toMatchObject({ subject: 'A Muripo application of yours is stopped' })
  const activate = await call('PATCH', `/v1/applications/${application._id}/status`, session, {
    status: 'active',
  })
  expect(activate).toMatchObject({ status: 403, body: { code: 'application_stopped' } })
  expect((await admin(...stop)).output).toContain('was stopped already')
  const resume = ['applications', 'resume', application._id, '--reason', 'Cleared up'] as const
  expect((await admin(...resume)).output).toContain('goes on')
  await expect.poll(both).toEqual([201, 201])
  expect(await lastMail()).toMatchObject({ subject: 'A Muripo application of yours goes on' })
  expect((await admin(...resume)).output).toContain('was not stopped')
  expect((await auditEntriesOn(ctx, application._id)).slice(-2)).toMatchObject([
    { action: 'application.stopped_by_operator', details: { reason: 'Complaints' } },
    { action: 'application.resumed_by_operator', details: { reason: 'Cleared up' } },
  ])
})

test('an operator revokes a key at once, and its owner creates another one', async () => {
  await approve()
  const application = await addApplication('Shop')
  const revoke = (...mode: string[]) =>
    admin('keys', 'revoke', application._id, ...mode, '--reason', 'It stood in a public repository')
  expect((await revoke()).output).toBe(
    `The live key of ${application._id} is revoked. The merchant receives an email.`,
  )
  expect((await create(bearer(application.applicationKey))).status).toBe(401)
  expect((await create(bearer(application.testKey))).status).toBe(201)
  expect((await revoke()).output).toContain('has no live key')
  expect(await read(application)).toMatchObject({ applicationKey: null })
  expect(await lastMail()).toMatchObject({ subject: 'A key of your Muripo application is revoked' })
  expect((await revoke('--mode', 'test')).output).toContain('The test key')
  const again = await call('PATCH', `/v1/applications/${application._id}/regenerate-key`, session)
  expect((await create(bearer(again.body.newApplicationKey))).status).toBe(201)
  expect((await auditEntriesOn(ctx, application._id)).map(({ action }) => action)).toContain(
    'application.key_revoked_by_operator',
  )
})

test('banking details of a live merchant are approved, although the application is in the test environment too', async () => {
  const application = await addApplication('Shop')
  const banking = {
    bankName: 'CBZ Bank',
    bankAccountNumber: '0123456789',
    bankAccountName: 'Chikomo Trading',
    bankAccountType: 'Current',
  }
  await updateBanking(
    ctx,
    byMerchant(merchant.merchantId),
    merchant.merchantId,
    application._id,
    banking as never,
  )
  const approved = await admin('banking', 'approve', application._id, '1')
  expect(approved).toMatchObject({ code: 0, output: expect.stringContaining('are approved') })
  expect((await admin('merchants', 'show', merchant.email)).output).toContain('Banking      approved')
})

test('the list shows the pending merchants, and the merchants of one status', async () => {
  const idsIn = ({ output }: { output: string }) => output.match(/^mer_\w+/gm) ?? []
  const list = async (...words: string[]) => idsIn(await admin('merchants', 'list', ...words))
  expect(await list('--status', 'waiting')).toContain(merchant.merchantId)
  expect(await list('--status', 'new')).toContain(merchant.merchantId)
  await approve()
  expect(await list('--status', 'waiting')).not.toContain(merchant.merchantId)
  expect(await list('--status', 'approved')).toContain(merchant.merchantId)
  expect(await list('--status', 'new')).not.toContain(merchant.merchantId)
  expect(await list()).toContain(merchant.merchantId)
})

describe('is answered with one line and changes nothing:', () => {
  const none = `app_${'0'.repeat(26)}`
  test.each([
    ['no code of the names', ['merchants', 'approve', 'x@example.com', ...reason], 2, '--seen'],
    ['no reason', ['merchants', 'suspend', 'x@example.com'], 2, 'Give the reason'],
    ['nobody', ['merchants', 'suspend', 'x@example.com', ...reason], 1, 'Nobody has an account'],
    ['an unknown id', ['merchants', 'close', `mer_${'0'.repeat(26)}`, ...reason], 1, 'There is no merchant'],
    ['an unknown status', ['merchants', 'list', '--status', 'gone'], 2, '--status is one of new, approved'],
    ['an unknown application', ['applications', 'stop', none, ...reason], 1, 'There is no application'],
    ['no application', ['applications', 'resume', 'x', ...reason], 2, 'is not the id of an application'],
    ['an unknown mode', ['keys', 'revoke', none, '--mode', 'both', ...reason], 2, '--mode is test or live'],
  ] as const)('%s', async (_what, words, code, output) => {
    expect(await admin(...words)).toMatchObject({ code, output: expect.stringContaining(output) })
  })

  test('a merchant who is not suspended is resumed', async () => {
    expect(await admin('merchants', 'resume', merchant.email, ...reason)).toMatchObject({ code: 0 })
    const { rows } = await ctx.db.pool.query('select status_reason from merchants where id = $1', [
      uuidOf(merchant.merchantId),
    ])
    expect(rows[0].status_reason).toBeNull()
  })
})
