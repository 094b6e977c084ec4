import { createApplication, createPayment } from '@muripo/rig/merchant'
import { expect, test } from './fixtures.ts'
import { checkEveryWidth, checkPage } from './lib/check-page.ts'
import {
  consoleUrl,
  giveReason,
  openMerchant,
  operator,
  phone,
  signInToConsole,
  widths,
} from './lib/console.ts'
import { button, expectToast, title } from './lib/page.ts'
import { payFrom } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

test.use({ baseURL: ({ gateway }, use) => use(consoleUrl(gateway)) })

test('a held payment is resolved by two', async ({ browser, gateway, merchant, wallet }) => {
  test.slow()
  const application = await createApplication(gateway.url, merchant.tokens)
  const first = await operator(browser, gateway, 'risk')
  const second = await operator(browser, gateway, 'risk', phone)
  const payer = newPhone()
  await wallet.configureCharge(payer, { decision: { verdict: 'success' }, echoAmount: 1 })
  const payment = await createPayment(gateway.url, application.testKey ?? application.applicationKey)
  await payFrom(payer, payment)

  await first.goto('/console/reviews')
  await expect(first.getByRole('table', { name: 'Reviews' })).toBeVisible()
  await checkEveryWidth(first, 'console-reviews', widths)
  await first.getByRole('link', { name: 'Chiedza Crafts' }).first().click()
  await expect(title(first, 'Was it paid?')).toBeVisible()
  await button(first, 'Propose').click()
  await expect(first.getByText('Choose one')).toBeVisible()
  await expect(first.getByText('Please give a reason')).toBeVisible()
  await checkEveryWidth(first, 'console-payment-held', widths)
  await first.getByLabel('It was paid', { exact: true }).check()
  await first.getByLabel("Provider's reference").fill('MP261128.0001.B00001')
  await first.getByLabel('Reason').fill('The statement has it')
  await button(first, 'Propose “It was paid”, USD\u00a025.00').click()
  await expectToast(first, 'Proposed. Another operator decides.')

  await second.goto('/console')
  await second.getByRole('link', { name: /^Resolve the payment/ }).click()
  await expect(second.getByText('MP261128.0001.B00001')).toBeVisible()
  await checkPage(second, 'console-payment-proposed-375')
  await button(second, 'Approve as second person').click()
  await expectToast(second, 'Approved and executed')
  await expect(second.getByText('Completed', { exact: true }).first()).toBeVisible()
  for (const page of [first, second]) await page.context().close()
})

test('a merchant who is being paid is suspended at once, and resumed by two', async ({
  browser,
  gateway,
  merchant,
  page,
}) => {
  test.slow()
  const application = await createApplication(gateway.url, merchant.tokens)
  const first = await operator(browser, gateway, 'risk')
  const second = await operator(browser, gateway, 'admin', phone)
  const payment = await createPayment(gateway.url, application.applicationKey)
  await page.goto(payment.payment_url)
  await expect(page.getByRole('button').first()).toBeVisible()

  await openMerchant(first, merchant.account.email)
  await button(first, 'Suspend the merchant').click()
  await checkPage(first, 'console-suspend')
  await giveReason(first, 'Payers complain', 'Do it now')
  await expectToast(first, 'Done')
  await expect(first.getByText('Suspended', { exact: true })).toBeVisible()
  await checkEveryWidth(first, 'console-suspended', widths)
  await page.reload()
  await expect(title(page, 'This cannot be paid at the moment')).toBeVisible()

  await button(first, 'Resume the merchant').click()
  await giveReason(first, 'The payers were wrong', 'Propose')
  await second.goto(new URL(first.url()).pathname)
  await test.step('the second operator declines, and the first one proposes again and withdraws', async () => {
    await button(second, 'Decline…').click()
    await checkPage(second, 'console-decline-375')
    await giveReason(second, 'Ask two of them first', 'Decline')
    await expectToast(second, 'Declined. Nothing was executed.')
    await first.reload()
    await button(first, 'Resume the merchant').click()
    await giveReason(first, 'Two of them agree', 'Propose')
    await button(first, 'Withdraw').click()
    await expectToast(first, 'Withdrawn. Nothing was executed.')
    await button(first, 'Resume the merchant').click()
    await giveReason(first, 'Three of them agree', 'Propose')
  })
  await second.reload()
  await button(second, 'Approve as second person').click()
  await expectToast(second, 'Approved and executed')
  await page.reload()
  await expect(page.getByRole('button').first()).toBeVisible()
  for (const each of [first, second]) await each.context().close()
})

test('an application is stopped at once, and resumed by two', async ({
  browser,
  gateway,
  merchant,
  page,
}) => {
  test.slow()
  const application = await createApplication(gateway.url, merchant.tokens)
  const first = await operator(browser, gateway, 'risk')
  const second = await operator(browser, gateway, 'admin', phone)
  const payment = await createPayment(gateway.url, application.applicationKey)
  await openMerchant(first, merchant.account.email)
  await first.getByRole('button', { name: /^Stop the application/ }).click()
  await checkPage(first, 'console-stop')
  await giveReason(first, 'Payers complain', 'Do it now')
  await expectToast(first, 'Done')
  await expect(first.getByText('Payers complain')).toBeVisible()
  await checkEveryWidth(first, 'console-stopped', widths)
  await page.goto(payment.payment_url)
  await expect(title(page, 'This cannot be paid at the moment')).toBeVisible()

  await test.step('its key is revoked at once', async () => {
    const paysWithKey = () =>
      createPayment(gateway.url, application.applicationKey).then(
        () => 'paid',
        () => 'refused',
      )
    expect(await paysWithKey()).toBe('refused')
    await expect(first.getByText(`•••• ${application.applicationKey.slice(-4)}`)).toBeVisible()
    await first.getByRole('button', { name: /^Revoke the key: .*, Test$/ }).click()
    await checkPage(first, 'console-revoke')
    await giveReason(first, 'It was in a public repository', 'Do it now')
    await expectToast(first, 'Done')
    await expect(first.getByText('No key works.')).toBeVisible()
    await checkEveryWidth(first, 'console-revoked', widths)
  })

  const resume = first.getByRole('button', { name: /^Resume the application/ })
  await resume.click()
  await giveReason(first, 'The payers were wrong', 'Propose')
  await expectToast(first, 'Proposed. Another operator decides.')
  await expect(resume).toHaveCount(0)
  await second.goto(new URL(first.url()).pathname)
  await expect(button(second, 'Approve as second person')).toBeVisible()
  await checkPage(second, 'console-resume-proposed-375')
  await button(second, 'Approve as second person').click()
  await expectToast(second, 'Approved and executed')
  await page.reload()
  await expect(page.getByRole('button').first()).toBeVisible()
  for (const each of [first, second]) await each.context().close()
})

test('a merchant that has changed since the proposal is not approved by it', async ({
  browser,
  gateway,
  merchant,
}) => {
  await createApplication(gateway.url, merchant.tokens)
  const first = await operator(browser, gateway, 'risk')
  const second = await operator(browser, gateway, 'admin', phone)
  await openMerchant(first, merchant.account.email)
  await button(first, 'Approve the merchant').click()
  await giveReason(first, 'The names are in order', 'Propose')
  await expectToast(first, 'Proposed. Another operator decides.')
  await second.goto(new URL(first.url()).pathname)
  await expect(second.getByText('The names are in order')).toBeVisible()
  await createApplication(gateway.url, merchant.tokens, { applicationName: 'Another counter' })
  await button(second, 'Approve as second person').click()
  await expect(second.getByText(/The subject has changed since the proposal/).first()).toBeVisible()
  await expect(second.getByText('New', { exact: true })).toBeVisible()
  await expect(second.getByText('The names are in order')).toHaveCount(0)
  await expect(second.getByText('Another counter')).toBeVisible()
  await checkPage(second, 'console-stale-375')
  for (const page of [first, second]) await page.context().close()
})

test('support reads everything and decides nothing', async ({ browser, gateway, seller, merchant }) => {
  const payment = await seller.pay()
  const support = await operator(browser, gateway, 'support')
  await expect(support.getByRole('navigation').getByRole('link', { name: 'Audit' })).toHaveCount(0)
  await support.goto('/console/audit')
  await expect(support.getByText('Your role may not open this page')).toBeVisible()
  await checkEveryWidth(support, 'console-not-allowed', widths)
  await openMerchant(support, merchant.account.email)
  await expect(support.getByText('Your role does not decide about the merchant.')).toBeVisible()
  await support.goto('/console/payments')
  await expect(title(support, 'Payments')).toBeVisible()
  await checkEveryWidth(support, 'console-payments', widths)
  await support.getByLabel('Payment id, or a reference').fill(payment.id)
  await button(support, 'Find').click()
  await expect(support.getByRole('table', { name: 'Payments' })).toBeVisible()
  await checkEveryWidth(support, 'console-payments-found', widths)
  await support.getByRole('link', { name: 'Chiedza Crafts' }).click()
  await expect(title(support, 'Payment')).toBeVisible()
  await checkEveryWidth(support, 'console-payment', widths)
  await support.context().close()
})

test('what was typed is still there after the session ended and the operator signed in again', async ({
  browser,
  gateway,
  merchant,
}) => {
  const first = await operator(browser, gateway, 'risk')
  await openMerchant(first, merchant.account.email)
  await button(first, 'Close the account for good').click()
  await first.getByLabel('Reason').fill('A long reason that took a while')
  await first.context().clearCookies()
  await first
    .getByRole('dialog')
    .getByRole('button', { name: 'Do it now' })
    .or(button(first, 'Propose'))
    .click()
  await expect(title(first, 'Sign in to the console')).toBeVisible()
  await expect(first.getByLabel('Reason')).toBeHidden()
  await signInToConsole(first)
  await expect(first.getByLabel('Reason')).toHaveValue('A long reason that took a while')
  await first.context().close()
})
