import { text } from 'node:stream/consumers'
import { createApplication, createPayment } from '@muripo/rig/merchant'
import { expect, type Gateway, test } from './fixtures.ts'
import { checkEveryWidth, checkPage } from './lib/check-page.ts'
import { alone, consoleUrl, exportFrom, giveReason, operator, phone, widths } from './lib/console.ts'
import { button, expectToast, title } from './lib/page.ts'
import { payFrom } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

test.use({ baseURL: ({ gateway }, use) => use(consoleUrl(gateway)) })

test('ten refunds are sent by hand, and confirmed by two at once', async ({
  browser,
  gateway,
  merchant,
  wallet,
}) => {
  test.slow()
  const application = await createApplication(gateway.url, merchant.tokens)
  const payer = newPhone()
  await wallet.configureCharge(payer, { decision: { verdict: 'success' } })
  const payment = await createPayment(gateway.url, application.testKey ?? application.applicationKey)
  await payFrom(payer, payment)
  const id = await expect
    .poll(() => openRefund(gateway, merchant.account.email, payment.id, '1.00').catch(() => ''), {
      timeout: 30_000,
    })
    .not.toBe('')
    .then(() => payment.id)
  for (let cents = 1; cents < 10; cents += 1)
    await openRefund(gateway, merchant.account.email, id, `1.0${cents}`)

  const first = await operator(browser, gateway, 'finance')
  const second = await operator(browser, gateway, 'finance', phone)

  await test.step('the numbers are whole for whoever takes them out', async () => {
    await first.goto('/console/refunds')
    await expect(first.getByRole('table', { name: 'Refund desk' })).toBeVisible()
    await checkEveryWidth(first, 'console-refunds', widths)
    await button(first, 'Tick all').click()
    await button(first, 'Take out 10 refunds...').click()
    await checkPage(first, 'console-refunds-take')
    await giveReason(first, 'To send in the portal', 'Take out')
    await expect(first.getByText(`+263${payer.slice(-9)}`).first()).toBeVisible()
  })

  await test.step('each has a number of its own', async () => {
    const numbers = first.getByPlaceholder('Number in the portal')
    await expect(numbers).toHaveCount(10)
    for (let each = 0; each < 10; each += 1) await numbers.nth(each).fill(`RV-2811-${each}`)
    await numbers.nth(9).fill('RV-2811-0')
    await expect(first.getByText('This number stands twice')).toHaveCount(2)
    await expect(button(first, 'Propose 10 refunds...')).toBeDisabled()
    await numbers.nth(9).fill('RV-2811-9')
    await checkEveryWidth(first, 'console-refunds-numbers', widths)
    await button(first, 'Propose 10 refunds...').click()
    await giveReason(first, 'Sent on 28 November', 'Propose')
    await expectToast(first, 'Proposed. Another operator decides.')
  })

  await test.step('another operator confirms all of them with a passkey, on a phone', async () => {
    await second.goto('/console')
    await second.getByRole('link', { name: /^Confirm refunds by hand: 10 refunds/ }).click()
    await expect(button(second, 'Approve as second person')).toBeVisible()
    await checkEveryWidth(second, 'console-refunds-proposed', widths)
    await button(second, 'Approve as second person').click()
    await expectToast(second, 'Approved and executed')
    await expect(second.getByText('No refund waits here')).toBeVisible()
    await checkPage(second, 'console-refunds-none-375')
  })

  await test.step('what was sent has a tab, an address and a file of its own', async () => {
    await first.reload()
    await expect(first.getByText('No refund waits here')).toBeVisible()
    await first.getByRole('tab', { name: 'Sent' }).click()
    await expect(first).toHaveURL(/state=sent/)
    await expect(first.getByRole('cell', { name: 'RV-2811-9' })).toBeVisible()
    await checkEveryWidth(first, 'console-refunds-sent', widths)
    const download = first.waitForEvent('download')
    await first.getByRole('link', { name: 'Export the list' }).click()
    const file = await text(await (await download).createReadStream())
    expect((await download).suggestedFilename()).toBe('refunds-sent.csv')
    expect(file.match(/RV-2811-\d/g)).toHaveLength(10)
    expect(file).not.toContain(payer.slice(-9))
    await first.getByRole('tab', { name: 'Came back' }).click()
    await expect(first.getByText('No refund came back')).toBeVisible()
  })
  await first.context().close()
  await second.context().close()
})

/** Opens a refund that an operator has to send. */
const openRefund = (gateway: Gateway, email: string, payment: string, amount: string): Promise<string> =>
  alone(gateway, `refunds open ${email} ${payment} --amount ${amount} --by-hand --reason wrong`)

test('a provider is paused at once, and resumed by two', async ({ browser, gateway }) => {
  test.slow()
  const first = await operator(browser, gateway, 'admin')
  const second = await operator(browser, gateway, 'admin', phone)
  await first.goto('/console/providers')
  const ecocash = first.getByRole('row', { name: /ecocash/i }).first()
  await expect(ecocash.getByText('Well')).toBeVisible()
  await checkEveryWidth(first, 'console-providers', widths)
  await ecocash.getByRole('button', { name: /^Pause/ }).click()
  await checkPage(first, 'console-providers-pause')
  const pause = first.getByRole('dialog').getByRole('button', { name: /^Pause/ })
  await pause.click()
  await expect(first.getByText('Please give a reason')).toBeVisible()
  await first.getByLabel('Reason').fill('Slow today')
  await pause.click()
  await expectToast(first, 'Done')
  await expect(ecocash.getByText('Paused')).toBeVisible()
  await ecocash.getByRole('link').click()
  await expect(title(first, 'The last hour')).toBeVisible()
  await expect(first.getByText('Paused')).toBeVisible()
  await checkEveryWidth(first, 'console-provider', widths)
  await first.getByRole('button', { name: /^Resume/ }).click()
  await giveReason(first, 'Well again', 'Propose')
  await expectToast(first, 'Proposed. Another operator decides.')
  await expect(first.getByText('Paused', { exact: true })).toBeVisible()

  await second.goto('/console')
  await second.getByRole('link', { name: /^Resume the provider: ecocash/ }).click()
  await expect(button(second, 'Approve as second person')).toBeVisible()
  await checkEveryWidth(second, 'console-providers-proposed', widths)
  await button(second, 'Approve as second person').click()
  await expectToast(second, 'Approved and executed')
  await expect(second.getByText('Well')).toBeVisible()
  await second.goto('/console/providers/nobody')
  await expect(second.getByText('There is no account with this name')).toBeVisible()
  await second.goto('/console/providers')
  await expect(
    second
      .getByRole('row', { name: /ecocash/i })
      .first()
      .getByText('Well'),
  ).toBeVisible()

  await test.step('webhooks and jobs', async () => {
    await first.goto('/console/webhooks')
    await expect(title(first, 'Webhooks')).toBeVisible()
    await checkEveryWidth(first, 'console-webhooks', widths)
    await first.goto(`/console/webhooks?merchant=mer_llllllllllllllllllllllllll`)
    await expect(first.getByText('No endpoint found')).toBeVisible()
    await checkPage(first, 'console-webhooks-none')
    await first.goto('/console/jobs')
    await expect(title(first, 'Queue')).toBeVisible()
    const runs = first.getByRole('table', { name: 'Runs' })
    await expect(async () => {
      await first.reload()
      await expect(runs.getByRole('row', { name: /seal-audit-log.*Done/ })).toBeVisible()
    }).toPass()
    await checkEveryWidth(first, 'console-jobs', widths)
    await first.getByLabel('Job', { exact: true }).selectOption('seal-audit-log')
    await expect(runs.getByRole('row', { name: /close-console/ })).toHaveCount(0)
    await expect(first).toHaveURL(/name=seal-audit-log/)
    expect(await exportFrom(first, 'Runs')).toMatch(
      /^\ufeff"Job","Started","Milliseconds","Outcome","Error"\r\n"seal-audit-log",/,
    )
    await first.getByLabel('Outcome').selectOption('Failed')
    await first.reload()
    await expect(first.getByText('No run here')).toBeVisible()
    await checkPage(first, 'console-jobs-none')
  })
  await first.context().close()
  await second.context().close()
})

test('an operator is added by two, gets the link by email, and is removed at once', async ({
  browser,
  gateway,
}) => {
  test.slow()
  const first = await operator(browser, gateway, 'admin')
  const second = await operator(browser, gateway, 'admin', phone)
  await first.goto('/console/settings')
  await expect(title(first, 'Operators')).toBeVisible()
  await checkEveryWidth(first, 'console-settings', widths)
  await button(first, 'Add an operator').click()
  await first.getByLabel('Email address').fill('nonsense')
  await giveReason(first, 'Joins us today', 'Propose')
  await expect(first.getByText('Please enter an email address')).toBeVisible()
  await expect(first.getByText('Please enter the name')).toBeVisible()
  await checkEveryWidth(first, 'console-settings-add', widths)
  await first.getByLabel('Email address').fill('kuda@company.example')
  await first.getByLabel('Name', { exact: true }).fill('Kuda Moyo')
  await giveReason(first, 'Joins us today', 'Propose')
  await expectToast(first, 'Proposed. Another operator decides.')

  await second.goto('/console/settings')
  await expect(second.getByText(/Kuda Moyo <kuda@company.example>/)).toBeVisible()
  await checkEveryWidth(second, 'console-settings-proposed', widths)
  await button(second, 'Approve as second person').click()
  await expectToast(second, 'Approved and executed')
  await first.reload()
  const added = first.getByRole('row', { name: /kuda@company\.example/ })
  await first.getByLabel('Role', { exact: true }).selectOption('Support')
  await expect(first).toHaveURL(/role=support/)
  expect(await exportFrom(first, 'Operators')).toMatch(/"Kuda Moyo","kuda@company\.example","support","no"/)
  await expect(added.getByText('None yet')).toBeVisible()
  await added.getByRole('button', { name: 'Remove Kuda Moyo' }).click()
  await giveReason(first, 'Wrong address', 'Remove')
  await expectToast(first, 'Done')
  await expect(added).toBeHidden()

  await button(first, 'Announce...').click()
  await button(first, 'Publish').click()
  await expect(first.getByText('Please give a title')).toBeVisible()
  await first.getByLabel('Title').fill('EcoCash is slow')
  await first.getByLabel('What people read').fill('Payments work, and take a minute longer.')
  await button(first, 'Publish').click()
  await expectToast(first, 'It is on the status page.')
  await button(first, 'Update: EcoCash is slow').click()
  await first.getByLabel('Status', { exact: true }).selectOption('resolved')
  await first.getByLabel('What people read').fill('It is well again.')
  await button(first, 'Publish').click()
  await expect(first.getByRole('listitem').getByText('Resolved', { exact: true })).toBeVisible()
  await first.getByLabel('Show').selectOption('Open')
  await expect(first.getByText('No incident fits this filter.')).toBeVisible()
  await expect(first).toHaveURL(/incidents=open/)
  await first.getByLabel('Show').selectOption('Resolved')
  expect(await exportFrom(first, 'Incidents of the status page')).toContain('"EcoCash is slow"')
  await checkPage(first, 'console-settings-incident')
  await first.context().close()
  await second.context().close()
})
