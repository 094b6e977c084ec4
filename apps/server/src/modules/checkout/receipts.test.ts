import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { systemActor } from '../../platform/audit/actor.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { PayerView } from '../applications/index.ts'
import { merchantProfile } from '../identity/index.ts'
import { refundPayment } from '../payments/actions/request-refund.ts'
import {
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  pending,
} from '../payments/factory.ts'
import { createCheckout } from './checkout.ts'
import { mailReceipts } from './jobs.ts'
import { receiptAddress, receiptEmail } from './receipt-email.ts'

const test = base
  /** The merchant's own address, to which test payments mail. */
  .extend('email', async ({ world, shop }) => {
    world.ctx.mails.length = 0
    return (await merchantProfile(world.ctx.db.kysely, shop.accountId)).email
  })
  .extend(
    'pay',
    ({ world, shop }) =>
      (customer: object) =>
        makePaid(world.ctx, shop.owner, world.provider, { customer, reference: 'A-7' }),
  )
  .extend('waiting', ({ world }) => async (): Promise<number> => {
    const { rows } = await world.ctx.db.pool.query('select count(*)::int as n from receipts_to_mail')
    return rows[0].n
  })

describe('the receipt of a completed payment', () => {
  test('is mailed once, with the facts of the payment and the link', async ({
    world,
    email,
    pay,
    waiting,
  }) => {
    const payment = await pay({ email, name: 'Rudo Dube' })
    await mailReceipts(world.ctx)
    await mailReceipts(world.ctx)
    const [mail, ...others] = world.ctx.mails
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: email, subject: 'Receipt from Shop' })
    const token = world.ctx.checkoutLinks.tokenOf(payment.accountId, payment.id)
    for (const text of [
      'Hello Rudo Dube,',
      'USD 12.50',
      'Order 1001',
      'EcoCash',
      '077 *** 4567',
      'A-7',
      'MP1',
      payment.id,
      'This was a test: no real money moved.',
      `http://gateway.test/pay/${token}/receipt`,
    ])
      expect(mail?.text).toContain(text)
    expect(await waiting()).toBe(0)
  })

  test.for([
    ['sn', 'Risiti kubva kuShop', 'Mhoroi Rudo Dube,', 'Mabhadhara Shop.', 'Vhurai risiti'],
    ['nd', 'Irisithi evela ku-Shop', 'Salibonani Rudo Dube,', 'Usubhadele i-Shop.', 'Vula irisithi'],
  ] as const)(
    'is in the language of its payment: %s',
    async ([locale, subject, ...texts], { world, shop, email }) => {
      const customer = { email, name: 'Rudo Dube' }
      await makePaid(world.ctx, shop.owner, world.provider, { customer, locale })
      await mailReceipts(world.ctx)
      const [mail] = world.ctx.mails
      expect(mail).toMatchObject({ subject, html: expect.stringMatching(`<html[^>]* lang="${locale}"`) })
      for (const text of texts) expect(mail?.text).toContain(text)
    },
  )

  test('is mailed once by ten concurrent rounds', async ({ world, email, pay }) => {
    await pay({ email })
    await Promise.all(Array.from({ length: 10 }, () => mailReceipts(world.ctx)))
    expect(world.ctx.mails).toHaveLength(1)
  })

  test('is mailed once although the success is recorded twice, and its refund mails nothing', async ({
    world,
    shop,
    email,
  }) => {
    const payment = await makePayment(world.ctx, shop.owner, { customer: { email } })
    world.provider.charge = async () => pending()
    world.provider.lookup = async () => paid(payment.amount)
    await makeAttempt(world.ctx, payment)
    await Promise.all([lookUpDue(world.ctx), lookUpDue(world.ctx)])
    world.ctx.clock.advance(5000)
    await Promise.all([lookUpDue(world.ctx), lookUpDue(world.ctx)])
    expect((await latestAttempt(world.ctx, payment)).status).toBe('completed')
    await mailReceipts(world.ctx)
    await refundPayment(world.ctx, systemActor('shop'), shop.accountId, payment.id, {
      amount: 12.5,
      currency: 'USD',
    })
    await mailReceipts(world.ctx)
    expect(world.ctx.mails.map(({ subject }) => subject)).toEqual(['Receipt from Shop'])
  })

  test('is mailed in the next round when its email cannot be queued, and delays no other', async ({
    world,
    email,
    pay,
  }) => {
    await pay({ email })
    await pay({ email })
    const { mailer } = world.ctx
    let fails = true
    const failsOnce = {
      ...world.ctx,
      mailer: {
        async send(...given: Parameters<typeof mailer.send>) {
          if (fails) {
            fails = false
            throw new Error('the queue is full')
          }
          return mailer.send(...given)
        },
      },
    }
    await mailReceipts(failsOnce)
    expect([world.ctx.mails.length, world.errors]).toEqual([1, ['a receipt could not be mailed']])
    await mailReceipts(failsOnce)
    expect(world.ctx.mails).toHaveLength(2)
  })

  test('is mailed to nobody without an address, or before the payment is completed', async ({
    world,
    shop,
    email,
    pay,
    waiting,
  }) => {
    await pay({ name: 'Rudo' })
    const open = await makePayment(world.ctx, shop.owner, { customer: { email } })
    world.provider.charge = async () => pending()
    await makeAttempt(world.ctx, open)
    expect(await waiting()).toBe(0)
  })

  test('of a test payment is mailed to its own merchant only', async ({ world, email, pay, waiting }) => {
    await pay({ email: 'stranger@example.com' })
    await pay({ email: email.toUpperCase() })
    await mailReceipts(world.ctx)
    expect(world.ctx.mails.map(({ to }) => to.toLowerCase())).toEqual([email])
    expect(await waiting()).toBe(0)
  })
})

test('the receipt of a live payment names the reviewed shop, and nothing that could be a link', async ({
  world,
  shop,
  email,
}) => {
  const payment = await makePayment(world.ctx, shop.owner, {
    customer: { email: 'rudo@example.com' },
    description: 'Win at evil.example',
  })
  const live: PayerView = {
    name: 'Kumba Stores',
    mode: 'live',
    merchantId: shop.merchantId,
    merchantEmail: email,
    contactPhone: '+263773004410',
    payable: true,
    brand: { colour: null, logoPath: null },
  }
  expect(receiptAddress(payment.customer.email, live)).toBe('rudo@example.com')
  const completed = { ...payment, amount: money(123_456_789n, 'USD'), completedAt: new Date() }
  const content = receiptEmail(completed, [], live, 'http://gateway.test/pay/x/receipt')
  expect(content).toMatchObject({ subject: 'Receipt from Kumba Stores' })
  expect(content?.facts).toEqual([
    ['Amount', 'USD 1,234,567.89'],
    ['Payment', payment.id],
    ['Questions?', '+263 77 300 4410'],
  ])
  expect(JSON.stringify(content)).not.toMatch(/evil|was a test/)
})

test.for([
  ['business', 'tax_id', '+263773004410', '+263 77 300 4410'],
  ['business', 'tax_id', '+442079460958', '+442079460958'],
  ['individual', 'passport', '+263773004410', null],
] as const)(
  'the receipt of a shop of type %s, %s, with %s names %s for questions',
  async (row, { world, pay, email }) => {
    const [accountType, documentType, phone, contact] = row
    const payment = await pay({ email })
    await world.ctx.db.pool.query(
      'update merchants set account_type = $1, document_type = $2, phone = $3 where id = $4',
      [accountType, documentType, phone, uuidOf(payment.accountId)],
    )
    const token = world.ctx.checkoutLinks.tokenOf(payment.accountId, payment.id)
    const view = await createCheckout(world.ctx).view(token, '203.0.113.7')
    expect(view).toMatchObject({ receipt: { contact } })
    await mailReceipts(world.ctx)
    const { text } = world.ctx.mails[0] as { text: string }
    expect(text.includes('Questions?')).toBe(contact !== null)
    if (contact !== null) expect(text).toContain(contact)
  },
)
