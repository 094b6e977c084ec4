import { BankingDetails } from '@muripo/contract/applications'
import { describe, expect } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { makeApplication } from '../factory.ts'
import { reviewBanking, waitingBanking } from './review-banking.ts'
import { updateBanking } from './update-banking.ts'

const details = BankingDetails.parse({
  bankName: 'CBZ Bank',
  bankAccountNumber: '0123 4567 8910',
  bankAccountName: 'Chiedza Crafts',
  bankAccountType: 'Current',
})
const other = { ...details, bankAccountNumber: '99887766554' }
const operator = operatorActor('rudo', 'root@till')
const test = base
  .extend('merchantId', async ({ ctx }) => {
    const { merchantId } = await makeMerchant(ctx)
    ctx.mails.length = 0
    return merchantId
  })
  .extend('applicationId', async ({ ctx, merchantId }) => (await makeApplication(ctx, merchantId))._id)
  .extend(
    'update',
    async ({ ctx, merchantId, applicationId }) =>
      (to = details) =>
        updateBanking(ctx, byMerchant(merchantId), merchantId, applicationId, to),
  )
  .extend(
    'review',
    async ({ ctx, applicationId }) =>
      (revision: number, rejection: string | null = null) =>
        reviewBanking(ctx, operator, { applicationId, revision }, rejection),
  )
  .extend(
    'waiting',
    async ({ ctx, applicationId }) =>
      async () =>
        (await waitingBanking(ctx, 100)).filter((each) => each.applicationId === applicationId),
  )
  .extend(
    'actions',
    async ({ ctx, applicationId }) =>
      async () =>
        (await auditEntriesOn(ctx, applicationId)).map(({ action }) => action),
  )

describe('[MANAGE-15] new banking details', () => {
  test('are stored together and await approval', async ({ update, waiting }) => {
    expect(await update()).toMatchObject({
      ...details,
      bankAccountNumber: '012345678910',
      nameApproved: false,
    })
    expect(await waiting()).toMatchObject([
      { applicationName: 'Shop', banking: { details, revision: 1, nameApproved: false } },
    ])
  })

  test('are mailed with their new values, and with the last digits of the number alone', async ({
    ctx,
    update,
  }) => {
    await update()
    await update(other)
    expect(ctx.mails).toHaveLength(2)
    const [, mail] = ctx.mails
    expect(mail?.subject).toBe('Your Muripo banking details were changed')
    expect(mail?.text).toContain('Account number (new): •••• 6554\n')
    expect(mail?.text).toContain('Bank: CBZ Bank\n')
    expect(`${mail?.text}${mail?.html}`).not.toContain(other.bankAccountNumber)
  })

  test('are audited, with the last digits of the numbers alone', async ({
    ctx,
    merchantId,
    applicationId,
    update,
  }) => {
    await update()
    await update(other)
    const [first, second] = await auditEntriesOn(ctx, applicationId)
    expect(first).toMatchObject({
      action: 'application.banking_changed',
      actor: merchantId,
      details: { from: null },
    })
    expect(second?.details).toMatchObject({
      changed: ['bankAccountNumber'],
      from: { bankAccountNumber: '•••• 8910' },
      to: { bankAccountNumber: '•••• 6554' },
    })
    expect(JSON.stringify([first, second])).not.toMatch(/012345678910|99887766554/)
  })

  test('that are the same change nothing, whatever the review decided', async ({
    ctx,
    applicationId,
    update,
    review,
  }) => {
    await update()
    await review(1)
    const before = await auditEntriesOn(ctx, applicationId)
    const mails = ctx.mails.length
    ctx.clock.advance(1000)
    const again = await update()
    expect(again.nameApproved).toBe(true)
    expect(again.updatedAt).not.toBe(ctx.clock.now().toISOString())
    expect(await auditEntriesOn(ctx, applicationId)).toEqual(before)
    expect(ctx.mails).toHaveLength(mails)
  })

  test('are not stored when their email cannot be queued', async ({
    ctx,
    merchantId,
    applicationId,
    waiting,
    actions,
  }) => {
    const broken = { ...ctx, mailer: { send: () => Promise.reject(new Error('no queue')) } }
    const attempt = updateBanking(broken, byMerchant(merchantId), merchantId, applicationId, details)
    await expect(attempt).rejects.toThrow('no queue')
    expect(await waiting()).toEqual([])
    expect(await actions()).toEqual([])
  })

  test('ten concurrent ones are ten revisions, of which the last one is valid', async ({
    update,
    waiting,
    actions,
  }) => {
    const numbers = Array.from({ length: 10 }, (_, index) => `1000${index}`)
    await Promise.all(numbers.map((bankAccountNumber) => update({ ...details, bankAccountNumber })))
    const [found] = await waiting()
    expect(found?.banking.revision).toBe(10)
    expect(numbers).toContain(found?.banking.details.bankAccountNumber)
    expect(await actions()).toHaveLength(10)
  })

  test("of another merchant's application are refused as not found", async ({ ctx, applicationId }) => {
    const otherMerchant = await makeMerchant(ctx)
    const attempt = updateBanking(
      ctx,
      byMerchant(otherMerchant.merchantId),
      otherMerchant.merchantId,
      applicationId,
      details,
    )
    await expect(attempt).rejects.toMatchObject({ code: 'not_found' })
    expect(ctx.mails).toEqual([])
  })
})

describe('[MANAGE-13] an operator', () => {
  test('approves the details that the operator read, once, and the merchant is notified', async ({
    ctx,
    applicationId,
    update,
    review,
    waiting,
  }) => {
    await update()
    expect(await review(1)).toBe('done')
    expect(await review(1)).toBe('unchanged')
    expect(await waiting()).toEqual([])
    expect(ctx.mails.map(({ subject }) => subject)).toEqual([
      'Your Muripo banking details were changed',
      'Your Muripo banking details are approved',
    ])
    expect((await auditEntriesOn(ctx, applicationId))[1]).toMatchObject({
      actor_kind: 'operator',
      actor: 'rudo',
      action: 'application.banking_approved',
      details: { revision: 1 },
    })
  })

  test('refuses with a reason for the merchant, until the details change', async ({
    ctx,
    update,
    review,
    waiting,
  }) => {
    await update()
    expect(await review(1, 'The name is not that of the company')).toBe('done')
    expect(await waiting()).toEqual([])
    expect(ctx.mails[1]?.text).toContain('The reason: The name is not that of the company')
    expect(await update(other)).toMatchObject({ nameApproved: false, bankRejection: null })
    expect(await waiting()).toMatchObject([{ banking: { revision: 2 } }])
  })

  test('may reverse a decision', async ({ update, review, actions }) => {
    await update()
    await review(1)
    expect(await review(1, 'The account was closed')).toBe('done')
    expect(await review(1)).toBe('done')
    expect(await actions()).toHaveLength(4)
  })

  test('cannot approve details that no operator has read', async ({ update, review, waiting }) => {
    expect(await review(0)).toBe('none')
    await update()
    await update(other)
    expect(await review(1)).toBe('changed')
    expect(await review(1, 'wrong')).toBe('changed')
    expect(await waiting()).toMatchObject([{ banking: { revision: 2, nameApproved: false } }])
  })

  test('approves the old details or none when they change concurrently', async ({
    update,
    review,
    waiting,
  }) => {
    await update()
    for (let round = 1; round <= 20; round += 1) {
      const to = round % 2 === 0 ? details : other
      const [, reviewed] = await Promise.all([update(to), review(round)])
      const [found] = await waiting()
      expect(found, reviewed).toMatchObject({
        banking: { revision: round + 1, details: to, nameApproved: false },
      })
    }
  })

  test('lists the merchants by the time that they wait', async ({ ctx, merchantId, update }) => {
    const later = await makeApplication(ctx, merchantId, 'Later')
    await update()
    ctx.clock.advance(60_000)
    await updateBanking(ctx, byMerchant(merchantId), merchantId, later._id, details)
    const mine = (await waitingBanking(ctx, 100)).filter((each) => each.merchantId === merchantId)
    expect(mine.map(({ applicationName }) => applicationName)).toEqual(['Shop', 'Later'])
    expect(mine[0]?.merchant).toMatchObject({ fullname: 'Tendai Moyo' })
    expect(await waitingBanking(ctx, 1)).toHaveLength(1)
  })
})

describe('the database refuses', () => {
  test.beforeEach(async ({ update, review }) => {
    await update()
    await review(1)
  })

  test.for([
    ['other details under the same revision', "bank_account_number = '1'"],
    ['other details that stay approved', "bank_account_number = '1', bank_revision = bank_revision + 1"],
    ['a new revision of the same details', 'bank_revision = bank_revision + 1'],
    ['both verdicts', "bank_rejection = 'no'"],
    ['half of the details', 'bank_name = null, bank_revision = 2, name_approved = false'],
  ])('%s', async ([, change], { ctx, applicationId }) => {
    const statement = `update applications set ${change} where id = '${uuidOf(applicationId)}'`
    await expect(ctx.db.pool.query(statement)).rejects.toMatchObject({ code: '23514' })
  })

  test('an approval without details', async ({ ctx, merchantId }) => {
    const { _id } = await makeApplication(ctx, merchantId, 'Empty')
    const statement = `update applications set name_approved = true where id = '${uuidOf(_id)}'`
    await expect(ctx.db.pool.query(statement)).rejects.toMatchObject({ code: '23514' })
  })
})
