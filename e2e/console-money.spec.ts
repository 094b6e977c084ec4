import { callOk } from '@muripo/rig/call'
import { createApplication } from '@muripo/rig/merchant'
import { uuidOf } from '@muripo/testing/typed-ids'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { addApp } from './lib/auth.ts'
import { checkEveryWidth } from './lib/check-page.ts'
import { alone, consoleUrl, giveReason, openMerchant, operator, phone, widths } from './lib/console.ts'
import { query } from './lib/database.ts'
import { button, expectToast, title } from './lib/page.ts'
import { approved } from './lib/payments.ts'

test.use({ baseURL: ({ gateway }, use) => use(consoleUrl(gateway)) })

const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByLabel(name, { exact: true })
const described = (page: Page, name: string, sentence: string | RegExp) =>
  expect(inDialog(page, name)).toHaveAccessibleDescription(sentence)

const isProposed = (page: Page) => expectToast(page, 'Proposed. Another operator decides.')

/** The second operator comes from Today, and signs with the passkey. */
async function approve(page: Page, line: RegExp, name: string): Promise<void> {
  await page.goto('/console')
  await page.getByRole('link', { name: line }).first().click()
  await expect(button(page, 'Approve as second person')).toBeVisible()
  await checkEveryWidth(page, `${name}-proposed`, [375, 320])
  await button(page, 'Approve as second person').click()
  await expectToast(page, 'Approved and executed')
}

test('bank details are refused at once, and approved by two', async ({ browser, gateway, merchant }) => {
  test.slow()
  const { _id } = await createApplication(gateway.url, merchant.tokens)
  const save = (bankAccountName: string) =>
    callOk('PUT', `${gateway.url}/v1/applications/${_id}/banking`, {
      bearer: merchant.tokens.authToken,
      body: {
        bankName: 'CBZ Bank',
        bankAccountNumber: '012345678910',
        bankAccountName,
        bankAccountType: 'Current',
      },
    })
  await save('Somebody Else')
  const first = await operator(browser, gateway, 'finance')
  const second = await operator(browser, gateway, 'risk', phone)

  await openMerchant(first, merchant.account.email)
  await expect(first.getByText('Somebody Else, CBZ Bank')).toBeVisible()
  await checkEveryWidth(first, 'console-banking', widths)
  const refuse = first.getByRole('button', { name: /^Refuse the bank details/ })
  await refuse.click()
  await giveReason(first, '', 'Do it now')
  await described(first, 'Reason', 'Please give a reason')
  await checkEveryWidth(first, 'console-banking-refuse', widths)
  await giveReason(first, 'The name is another', 'Do it now')
  await expectToast(first, 'Done')
  await expect(first.getByText('Bank details were refused')).toBeVisible()
  await expect(refuse).toHaveCount(0)

  await save('Chiedza Crafts (Pvt) Ltd')
  await first.reload()
  await expect(first.getByText('Chiedza Crafts (Pvt) Ltd, CBZ Bank')).toBeVisible()
  await first.getByRole('button', { name: /^Approve the bank details/ }).click()
  await giveReason(first, 'The certificate has the name', 'Propose')
  await isProposed(first)
  await expect(first.getByRole('button', { name: /^Approve the bank details/ })).toHaveCount(0)
  await checkEveryWidth(first, 'console-banking-waits', widths)
  await approve(second, /^Approve the bank details/, 'console-banking')
  await expect(second.getByText('Bank details are approved')).toBeVisible()
  for (const page of [first, second]) await page.context().close()
})

test('the ledger of a merchant is corrected by two', async ({ browser, gateway, merchant }) => {
  test.slow()
  const first = await operator(browser, gateway, 'finance')
  const second = await operator(browser, gateway, 'finance', phone)
  await openMerchant(first, merchant.account.email)
  const merchantId = new URL(first.url()).pathname.split('/').at(-1) as `mer_${string}`
  await button(first, 'Correct the ledger').click()
  await expect(inDialog(first, 'Amount')).toBeFocused()
  await button(first, 'Propose').click()
  for (const name of ['Amount', 'From the account', 'To the account'])
    await described(first, name, 'Please fill this in')
  await described(first, 'Reason', 'Please give a reason')
  await expect(inDialog(first, 'Amount')).toBeFocused()
  await checkEveryWidth(first, 'console-adjust', widths)
  await inDialog(first, 'Amount').fill('12,5')
  await inDialog(first, 'From the account').selectOption('suspense')
  await inDialog(first, 'To the account').selectOption('suspense')
  await giveReason(first, 'Paid late', 'Propose')
  await described(first, 'Amount', 'Please enter an amount above zero, like 12.50')
  await described(first, 'To the account', 'Please choose two different accounts')
  await expect(inDialog(first, 'Reason')).toHaveValue('Paid late')
  await inDialog(first, 'Amount').fill('12.5')
  await inDialog(first, 'To the account').selectOption('merchant.payable')
  await button(first, 'Propose').click()
  await isProposed(first)
  await expect(button(first, 'Correct the ledger')).toHaveCount(0)
  await expect(first.getByText('suspense → merchant.payable')).toBeVisible()
  await checkEveryWidth(first, 'console-adjust-waits', widths)
  const booked = () =>
    query(
      gateway.dataDir,
      'select debit_code, credit_code, amount_minor::int from ledger_transfers where account_id = $1',
      [uuidOf(merchantId)],
    )
  expect(await booked()).toEqual([])
  await approve(second, /^Correct the ledger/, 'console-adjust')
  expect(await booked()).toEqual([
    { debit_code: 'merchant.payable', credit_code: 'suspense', amount_minor: 1250 },
  ])
  await expect(button(second, 'Correct the ledger')).toBeVisible()
  for (const page of [first, second]) await page.context().close()
})

test('a payment is refunded by two, reported as reversed, and its return is recorded by two', async ({
  browser,
  gateway,
  seller,
  wallet,
}) => {
  test.slow()
  const payment = await approved(seller, wallet)
  const first = await operator(browser, gateway, 'admin')
  const second = await operator(browser, gateway, 'admin', phone)
  await first.goto(`/console/payments?search=${payment.id}`)
  await first.getByRole('link', { name: 'Chiedza Crafts' }).click()
  await expect(button(first, 'Refund the payment')).toBeVisible()
  await checkEveryWidth(first, 'console-money', widths)

  await test.step('a part is refunded', async () => {
    await button(first, 'Refund the payment').click()
    await inDialog(first, 'Amount').fill('25.01')
    await button(first, 'Propose').click()
    await described(first, 'Amount', 'At most USD\u00a025.00')
    await described(first, 'Reason', 'Please give a reason')
    await checkEveryWidth(first, 'console-refund-open', widths)
    await inDialog(first, 'Amount').fill('5')
    await giveReason(first, 'One basket was broken', 'Propose')
    await isProposed(first)
    await expect(button(first, 'Refund the payment')).toHaveCount(0)
    await checkEveryWidth(first, 'console-refund-open-waits', widths)
    await approve(second, /^Refund the payment/, 'console-refund-open')
    await expect(async () => {
      await first.reload()
      await expect(first.getByText('USD\u00a05.00').first()).toBeVisible({ timeout: 2000 })
    }).toPass()
  })

  await test.step('a reversal is reported at once, in total', async () => {
    const report = async (amount: string) => {
      await button(first, 'Report a reversal').click()
      await inDialog(first, 'Amount').fill(amount)
      await giveReason(first, 'Statement of 22 November', 'Do it now')
    }
    await report('0')
    await described(first, 'Amount', 'Please enter an amount above zero, like 12.50')
    await checkEveryWidth(first, 'console-reverse', widths)
    await inDialog(first, 'Amount').fill('10')
    await button(first, 'Do it now').click()
    await expectToast(first, 'Done')
    await expect(title(first, 'Contradiction')).toBeVisible()
    await report('10')
    await expect(first.getByRole('alert').getByText(/This amount is reported already/)).toBeVisible()
    await checkEveryWidth(first, 'console-reverse-known', widths)
    await button(first, 'Cancel').click()
  })

  await test.step('the reversal is booked by two', async () => {
    const review = first.getByRole('region', { name: 'Contradiction' })
    const question = review.getByRole('radiogroup', { name: 'Contradiction' })
    await expect(review.getByText('The provider reversed the charge')).toBeVisible()
    await review.getByRole('button', { name: 'Propose', exact: true }).click()
    await expect(question).toHaveAccessibleDescription('Choose one')
    await question.getByRole('radio', { name: 'It was reversed' }).check()
    const amount = review.getByLabel('Reversed amount', { exact: true })
    await expect(amount).toHaveValue('10.00')
    await amount.fill('100')
    await review.getByLabel('Reason', { exact: true }).fill('Chargeback of 22 November')
    await review.getByRole('button', { name: /^Propose “It was reversed”/ }).click()
    await expect(amount).toHaveAccessibleDescription(/not more than the charge less its refunds/)
    await checkEveryWidth(first, 'console-contradiction', widths)
    await amount.fill('10')
    await review.getByRole('button', { name: /^Propose “It was reversed”/ }).click()
    await isProposed(first)
    await expect(question).toHaveCount(0)
    await approve(second, /^Resolve the review/, 'console-contradiction')
  })

  await test.step('a part of the booked reversal came back', async () => {
    await first.reload()
    await button(first, 'Record a returned amount').click()
    await inDialog(first, 'Amount').fill('10.01')
    await giveReason(first, 'The dispute is won', 'Propose')
    await described(first, 'Amount', 'At most USD\u00a010.00')
    await checkEveryWidth(first, 'console-return', widths)
    await inDialog(first, 'Amount').fill('10')
    await button(first, 'Propose').click()
    await isProposed(first)
    await expect(button(first, 'Record a returned amount')).toHaveCount(0)
    await approve(second, /^Record a returned amount/, 'console-return')
    await first.reload()
    await expect(button(first, 'Refund the payment')).toBeVisible()
    await expect(button(first, 'Record a returned amount')).toHaveCount(0)
    await checkEveryWidth(first, 'console-returned', widths)
  })
  expect(await alone(gateway, 'ledger')).toContain('In balance')
  for (const page of [first, second]) await page.context().close()
})

test('a refund that came back, and one that was paid late, are decided by two', async ({
  browser,
  gateway,
  seller,
  wallet,
}) => {
  test.slow()
  const payment = await approved(seller, wallet)
  const first = await operator(browser, gateway, 'finance')
  const second = await operator(browser, gateway, 'finance', phone)
  await first.goto(`/console/payments?search=${payment.id}`)
  await first.getByRole('link', { name: 'Chiedza Crafts' }).click()
  const refunds = first.getByRole('region', { name: 'Refunds' })
  const resolve = async (answer: string, reason: string, reference: string | null) => {
    const form = first.getByRole('region', { name: 'Was the refund sent?' })
    await form.getByRole('radio', { name: answer }).check()
    if (reference !== null) await form.getByLabel("Provider's reference", { exact: true }).fill(reference)
    await form.getByLabel('Reason', { exact: true }).fill(reason)
    await form.getByRole('button', { name: new RegExp(`^Propose “${answer}”`) }).click()
    await isProposed(first)
    await approve(second, /^Resolve the refund/, 'console-refund-resolve')
    await first.reload()
  }

  await test.step('a refund is opened, and sent by hand', async () => {
    await button(first, 'Refund the payment').click()
    await inDialog(first, 'Amount').fill('5')
    await first.getByRole('dialog').getByRole('checkbox').check()
    await giveReason(first, 'One basket was broken', 'Propose')
    await isProposed(first)
    await approve(second, /^Refund the payment/, 'console-refund-by-hand')
    await first.reload()
    await expect(refunds.getByText('To send')).toBeVisible()
    await resolve('It was sent', 'In the portal', `RV-${payment.id}`)
    await expect(refunds.getByText(`Number: RV-${payment.id}`)).toBeVisible()
    await checkEveryWidth(first, 'console-refund-sent', widths)
  })

  await test.step('it came back, and another one is to be sent', async () => {
    await refunds.getByRole('button', { name: /^Record a refund that came back/ }).click()
    await button(first, 'Propose').click()
    await described(first, 'Reason', 'Please give a reason')
    await checkEveryWidth(first, 'console-bounce', widths)
    await giveReason(first, 'The number is closed', 'Propose')
    await isProposed(first)
    await expect(refunds.getByRole('button', { name: /^Record a refund that came back/ })).toHaveCount(0)
    await approve(second, /^Record a refund that came back/, 'console-bounce')
    await first.reload()
    await expect(refunds.getByText('Came back')).toBeVisible()
    await expect(refunds.getByText('To send')).toBeVisible()
    await first.goto('/console/refunds?state=came_back')
    await expect(first.getByRole('row', { name: /Chiedza Crafts/ })).toBeVisible()
    await checkEveryWidth(first, 'console-refunds-came-back', widths)
    await first.goBack()
  })

  await test.step('the other one failed, and its provider paid it all the same', async () => {
    await resolve('It was not sent', 'The number is closed', null)
    await expect(refunds.getByText('Failed')).toBeVisible()
    await query(
      gateway.dataDir,
      `update refunds set paid_late_at = now(), next_watch_at = null
       where payment_id = $1 and bounced_at is null`,
      [uuidOf(payment.id)],
    )
    await first.reload()
    await expect(refunds.getByText('Paid late', { exact: true })).toBeVisible()
    await checkEveryWidth(first, 'console-refund-late', widths)
    await refunds.getByRole('button', { name: /^Resolve a refund that was paid late/ }).click()
    await inDialog(first, 'Amount that the provider paid').fill('5,01')
    await giveReason(first, 'The payer keeps it', 'Propose')
    await described(first, 'Amount that the provider paid', /Please enter an amount above zero, like 12\.50/)
    await inDialog(first, 'Amount that the provider paid').fill('0')
    await checkEveryWidth(first, 'console-settle', widths)
    await button(first, 'Propose').click()
    await isProposed(first)
    await approve(second, /^Resolve a refund that was paid late/, 'console-settle')
    await first.reload()
    await expect(refunds.getByText('Failed')).toBeVisible()
  })
  expect(await alone(gateway, 'ledger')).toContain('In balance')
  for (const page of [first, second]) await page.context().close()
})

test('the route of a merchant is changed by two, and payers see it', async ({
  browser,
  gateway,
  merchant,
  seller,
  page,
}) => {
  test.slow()
  const { email } = merchant.account
  await alone(gateway, `providers route ${email} ecocash ecocash --reason "Its own account"`)
  const { payment_url } = await seller.pay()
  const ecocash = page.getByRole('radio', { name: 'EcoCash' })
  await page.goto(payment_url)
  await expect(ecocash).toBeVisible()
  const first = await operator(browser, gateway, 'admin')
  const second = await operator(browser, gateway, 'admin', phone)
  await first.goto('/console/providers')
  const change = first.getByRole('button', { name: 'Change the route: Tariro Moyo, EcoCash' }).first()
  await expect(change).toBeVisible()
  await checkEveryWidth(first, 'console-routes', widths)
  await change.click()
  await button(first, 'Propose').click()
  await described(first, 'Accounts', 'Please fill this in')
  await checkEveryWidth(first, 'console-route', widths)
  await inDialog(first, 'Accounts').selectOption({ label: 'No account' })
  await giveReason(first, 'The account is closed', 'Propose')
  await isProposed(first)
  await expect(change).toHaveCount(0)
  await approve(second, /^Change the route/, 'console-route')
  await test.step('a method without a route of its own gets its first one', async () => {
    await first.reload()
    const visa = first.getByRole('row', { name: /Tariro Moyo Visa/ })
    await expect(change).toBeVisible()
    await expect(visa).toHaveCount(0)
    await button(first, 'Give a merchant a route...').click()
    await button(first, 'Propose').click()
    for (const name of ['Id or email of the merchant', 'Method', 'Accounts'])
      await described(first, name, 'Please fill this in')
    await inDialog(first, 'Id or email of the merchant').fill('nobody@example.co.zw')
    await inDialog(first, 'Method').selectOption('visa')
    const possible = await inDialog(first, 'Accounts').locator('option').allTextContents()
    const accounts = possible.filter((each) => /^[a-z-]+$/.test(each))
    for (const [place, account] of accounts.entries())
      await inDialog(first, place === 0 ? 'Accounts' : `Account ${place + 1}`).selectOption(account)
    await checkEveryWidth(first, 'console-route-add', widths)
    await giveReason(first, 'It takes cards now', 'Propose')
    await described(first, 'Id or email of the merchant', 'No merchant has this id or email')
    await inDialog(first, 'Id or email of the merchant').fill(email)
    await button(first, 'Propose').click()
    await isProposed(first)
    await approve(second, /^Change the route: .* visa/, 'console-route-add')
    await first.reload()
    await expect(visa.getByText(accounts.join(', '))).toBeVisible()
  })
  await expect(second.getByRole('row', { name: /Tariro Moyo/ }).getByText('No account')).toBeVisible()
  await expect(async () => {
    await page.goto(payment_url)
    await expect(ecocash).toHaveCount(0, { timeout: 2000 })
  }).toPass()
  for (const each of [first, second]) await each.context().close()
})

test('a lost authenticator app is removed by two', async ({
  browser,
  gateway,
  merchant,
  page,
  openDashboard,
}) => {
  test.slow()
  const first = await operator(browser, gateway, 'risk')
  const second = await operator(browser, gateway, 'risk', phone)
  const { email, password } = merchant.account
  await first.goto('/console/merchants')
  await button(first, 'Remove a lost authenticator app').click()
  await inDialog(first, 'Email address').fill('nonsense')
  await button(first, 'Propose').click()
  await described(first, 'Email address', 'Please enter an email address')
  await described(first, 'Reason', 'Please give a reason')
  await checkEveryWidth(first, 'console-authenticator', widths)
  await inDialog(first, 'Email address').fill('nobody@example.co.zw')
  await giveReason(first, 'The phone is lost', 'Propose')
  await described(first, 'Email address', 'Nobody has an account with this email')
  await inDialog(first, 'Email address').fill(email)
  await button(first, 'Propose').click()
  await described(first, 'Email address', 'The person has no authenticator app')

  await openDashboard('/app/settings/security')
  await addApp(page, password)
  await page.keyboard.press('Escape')
  await button(page, 'I have kept them').click()
  await button(first, 'Propose').click()
  await isProposed(first)
  await checkEveryWidth(first, 'console-authenticator-waits', widths)
  await approve(second, /^Remove a lost authenticator app: Tariro Moyo/, 'console-authenticator')
  await page.goto('/app/settings/security')
  await expect(page.getByText('You have no authenticator app yet.')).toBeVisible()
  for (const each of [first, second]) await each.context().close()
})
