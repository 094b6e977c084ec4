import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../test/audit-entries.ts'
import { liveGateway } from '../../test/live-gateway.ts'
import { testMasterKey } from '../../test/master-key.ts'
import { terminalOf } from '../../test/terminal.ts'
import { updateBrand } from '../modules/applications/actions/update-brand.ts'
import { createCheckout } from '../modules/checkout/index.ts'
import { makeMerchant, makeSession } from '../modules/identity/factory.ts'
import { coordinatorOf } from '../platform/db/databases.ts'
import { recordMode } from '../platform/db/deployment-mode.ts'
import { uuidOf } from '../platform/ids.ts'

const { ctx, app, real, sandbox, call, create } = await liveGateway()
await recordMode(coordinatorOf(ctx).db, 'live')
const { adminIn } = terminalOf(ctx.databaseUrl)
const admin = adminIn({ MURIPO_MASTER_KEY: testMasterKey.toString('base64') })

const reason = ['--reason', 'The documents are in order'] as const
const drawing = (path: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><path d="${path}"/></svg>`).toString('base64')

let merchant: Awaited<ReturnType<typeof makeMerchant>>
let session: { authorization: string }
beforeEach(async () => {
  merchant = await makeMerchant(ctx, { fullname: 'Rudo Chikomo' })
  session = { authorization: `Bearer ${(await makeSession(ctx, merchant.merchantId)).authToken}` }
})

const show = async () => (await admin('merchants', 'show', merchant.email)).output
async function approve(...words: string[]) {
  const seen = /--seen (\S+)/.exec(await show())?.[1] ?? 'none'
  return admin('merchants', 'approve', merchant.email, '--seen', seen, ...words, ...reason)
}
const add = async (applicationName: string) => {
  const form = { applicationName, description: 'Sells things', category: 'Retail' }
  const { status, body } = await call('POST', '/v1/applications/create', session, form)
  expect(status).toBe(201)
  return body
}
const setBrand = ({ _id }: { _id: string }, colour: string, logo?: string | null) =>
  updateBrand(ctx, byMerchant(merchant.merchantId), merchant.merchantId, _id as never, {
    colour,
    ...(logo !== undefined && { logo }),
  })

/** The name, logo and colour that a payer sees: on the page before and during a prompt, and in the prompt. */
async function seenBy(key: string, reference: string) {
  const { body } = await create({ authorization: `Bearer ${key}` }, { reference })
  const token = body.payment_url.slice(body.payment_url.lastIndexOf('/') + 1)
  const checkout = createCheckout(ctx)
  const see = async () => {
    const view = await checkout.view(token, '203.0.113.7')
    if (view === null || !('brand' in view)) throw new Error('the page has a view')
    return { shopName: view.shopName, ...view.brand }
  }
  const before = await see()
  const form = new URLSearchParams({ method: 'ecocash', phone: '0771111111' })
  expect(await checkout.submit(token, form)).toBeNull()
  expect(await see()).toEqual(before)
  return { ...before, inPrompt: [...real.charges, ...sandbox.charges].at(-1)?.shopName }
}

const nothing = { colour: null, logoPath: null }

describe('payers of live money see', () => {
  test('the merchant’s approved name and no logo until the application is approved, and test payers the new ones', async () => {
    await approve()
    const application = await add('Chikomo Refunds')
    const { brandColour: colour, logoPath } = await setBrand(application, '#12306b', drawing('M0 0'))
    const { applicationKey: live, testKey } = application
    const reviewed = { shopName: 'Rudo Chikomo', ...nothing, inPrompt: 'Rudo Chikomo' }
    const present = { shopName: 'Chikomo Refunds', colour, logoPath, inPrompt: 'Chikomo Refunds' }
    expect(await seenBy(live, 'R1')).toEqual(reviewed)
    expect(await seenBy(testKey, 'R2')).toEqual(present)

    expect((await admin('merchants', 'list', '--status', 'waiting')).output).toMatch(
      new RegExp(`${merchant.merchantId}[^]*Waits for +your approval of the name or logo of an application`),
    )
    const shown = await show()
    expect(shown).toMatch(new RegExp(`Logo +http.*${logoPath}, waits for approval; payers see none`))
    expect(shown).toContain('Colour       #12306b, waits for approval; payers see none')
    expect((await approve()).code).toBe(0)
    expect(await seenBy(live, 'R3')).toEqual(present)
    expect((await auditEntriesOn(ctx, merchant.merchantId)).at(-1)).toMatchObject({
      action: 'application.names_approved',
      details: { brands: [{ id: application._id, colour, logoHash: logoPath?.replace('/logos/', '') }] },
    })
  })

  test('the approved logo and colour while changed ones wait, and neither after their removal', async () => {
    await approve()
    const application = await add('Chikomo Grocers')
    const first = await setBrand(application, '#12306b', drawing('M3 3'))
    await approve()
    const second = await setBrand(application, '#0f5132', drawing('M1 1'))
    const live = application.applicationKey
    const old = { colour: '#12306b', logoPath: first.logoPath }
    expect(await seenBy(live, 'R1')).toMatchObject(old)
    expect(await seenBy(application.testKey, 'R2')).toMatchObject({
      colour: '#0f5132',
      logoPath: second.logoPath,
    })
    for (const { logoPath } of [first, second])
      expect((await app.inject(logoPath ?? '')).statusCode).toBe(200)

    expect((await approve()).code).toBe(0)
    expect(await seenBy(live, 'R3')).toMatchObject({ colour: '#0f5132', logoPath: second.logoPath })
    expect((await app.inject(first.logoPath ?? '')).statusCode).toBe(404)

    await setBrand(application, '', null)
    expect(await seenBy(live, 'R4')).toMatchObject(nothing)
    expect((await app.inject(second.logoPath ?? '')).statusCode).toBe(404)
    expect(await show()).not.toContain('To approve')
  })

  test('no logo that was changed after the operator saw another one', async () => {
    await approve()
    const application = await add('Chikomo Grocers')
    await setBrand(application, '', drawing('M0 0'))
    const seen = /--seen (\S+)/.exec(await show())?.[1] ?? ''
    await setBrand(application, '', drawing('M2 2'))
    const approved = await admin('merchants', 'approve', merchant.email, '--seen', seen, ...reason)
    expect(approved).toMatchObject({
      code: 1,
      output: expect.stringContaining('Look again with merchants show'),
    })
    expect(await seenBy(application.applicationKey, 'R1')).toMatchObject({
      shopName: 'Rudo Chikomo',
      ...nothing,
    })
  })
})

test('the database refuses a logo or a colour as approved that the application does not have', async () => {
  await approve()
  const application = await add('Chikomo Grocers')
  await setBrand(application, '#12306b')
  const insert = (colour: string) =>
    ctx.db.pool.query(
      'insert into approved_brands (account_id, application_id, colour) values ($1, $2, $3)',
      [uuidOf(merchant.merchantId), uuidOf(application._id), colour],
    )
  await expect(insert('#0f5132')).rejects.toThrow('is not the one of application')
  await insert('#12306b')
  await setBrand(application, '#0f5132')
  await expect(
    ctx.db.pool.query("update approved_brands set colour = '#ff0000' where application_id = $1", [
      uuidOf(application._id),
    ]),
  ).rejects.toThrow('is not the one of application')
})

test.each([
  ['EcoCash Official Refunds', 'EcoCash'],
  ['Ec0\u0421ash', 'EcoCash, other-letters'],
  ['V I S A', 'Visa'],
])('an application "%s" is created, and approved only with the words "%s"', async (name, words) => {
  await approve()
  const { applicationKey } = await add(name)
  expect(await show()).toContain(`Take care    the names contain ${words}`.replace(/ {2,}/, '   '))
  expect(await approve()).toMatchObject({
    code: 1,
    output: expect.stringContaining(`add --reserved "${words}"`),
  })
  expect((await approve('--reserved', 'Mastercard')).code).toBe(1)
  expect(await seenBy(applicationKey, 'R1')).toMatchObject({ shopName: 'Rudo Chikomo' })
  expect((await approve('--reserved', words.toLowerCase())).code).toBe(0)
  expect(await seenBy(applicationKey, 'R2')).toMatchObject({ shopName: name })
})

test('a merchant with the name of a bank is approved only with that word', async () => {
  merchant = await makeMerchant(ctx, { fullname: 'CBZ Bank' })
  expect((await approve()).code).toBe(1)
  expect((await approve('--reserved', 'CBZ')).code).toBe(0)
})
