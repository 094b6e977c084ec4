import { type GatewayProcess, launch } from '@muripo/rig/gateway'
import { createApplication, signIn, signUp } from '@muripo/rig/merchant'
import { expect, test } from '@playwright/test'
import { checkEveryWidth, checkPage, checkWidths } from './lib/check-page.ts'
import { runShell } from './lib/commands.ts'
import { exportFrom, giveReason, openConsole } from './lib/console.ts'
import { button, title, toast } from './lib/page.ts'
import { clear, temporaryDataDir } from './lib/processes.ts'
import { openProduction, type Production } from './lib/production.ts'
import { openPublicAddress, type PublicAddress } from './lib/public-address.ts'

// Only a gateway for real money has a queue of merchants.
let dataDir = ''
let gateway: GatewayProcess
let production: Production
let publicAddress: PublicAddress

test.beforeAll(async () => {
  dataDir = temporaryDataDir()
  production = await openProduction(dataDir)
  publicAddress = await openPublicAddress()
  gateway = await launch({
    dataDir,
    environment: { ...production.environment, PUBLIC_URL: publicAddress.url },
  })
  await gateway.ready()
  publicAddress.forwardTo(gateway.url)
})
test.afterAll(async () => {
  await gateway.interrupt()
  await production.close()
  publicAddress.close()
  expect(await clear(dataDir), 'processes that were left').toEqual([])
})

const admin = (words: string) =>
  runShell(`npm run --silent admin -- ${words}`, {
    ...production.environment,
    PUBLIC_URL: publicAddress.url,
    MURIPO_DATA: dataDir,
    HOME: dataDir,
  })

const desktop = { width: 1440, height: 900 }
const phone = { width: 375, height: 740 }
const widths = [1440, 768, 375, 320]

test('a merchant is approved from the queue by two, after the document was revealed', async ({ browser }) => {
  test.slow()
  const account = await signUp(gateway.url)
  await createApplication(gateway.url, await signIn(gateway.url, account, production.codeFor))
  const at = { url: publicAddress.url, admin }
  const first = await openConsole(browser, at, {
    email: 'nyasha@company.example',
    role: 'admin',
    viewport: desktop,
  })
  const second = await openConsole(browser, at, {
    email: 'tendai@company.example',
    role: 'admin',
    viewport: phone,
  })

  await test.step('the queue leads to the merchant', async () => {
    await first.goto('/console')
    await expect(first.getByText('Merchants to approve')).toBeVisible()
    await checkEveryWidth(first, 'console-today-waiting', widths)
    await first.getByRole('link', { name: 'Merchants to approve' }).click()
    await expect(first.getByRole('table', { name: 'Merchants' })).toBeVisible()
    await checkEveryWidth(first, 'console-merchants', widths)
    await first.getByLabel('Email, phone or id of a merchant').fill(account.email)
    await first.keyboard.press('Enter')
    await expect(first).toHaveURL(/search=tariro-/)
    await first.getByRole('link', { name: 'Tariro Moyo' }).click()
    await expect(title(first, 'Tariro Moyo')).toBeVisible()
  })

  await test.step('personal data is behind a reason', async () => {
    await expect(first.getByText('t•••@example.co.zw')).toBeVisible()
    await expect(first.getByText('The document is hidden')).toBeVisible()
    await checkEveryWidth(first, 'console-merchant', widths)
    await button(first, 'Reveal personal data').click()
    await button(first, 'Reveal').click()
    await expect(first.getByText('Please give a reason')).toBeVisible()
    await checkPage(first, 'console-reveal')
    await giveReason(first, 'Application for approval', 'Reveal')
    await expect(first.getByText(account.email)).toBeVisible()
    // A browser without a window has no viewer.
    const viewer = first.getByTitle('The document of Tariro Moyo')
    await expect(viewer.or(first.getByText('This browser shows no PDFs'))).toBeVisible()
    await expect(first.getByRole('link', { name: 'Download' })).toHaveAttribute('href', /^blob:/)
    await checkWidths(first, 'console-merchant-revealed')
  })

  await test.step('the first operator proposes', async () => {
    await button(first, 'Approve the merchant').click()
    await checkPage(first, 'console-propose')
    await giveReason(first, 'The certificate is in order', 'Propose')
    await expect(toast(first, 'Proposed. Another operator decides.')).toBeVisible()
    await expect(first.getByText('You proposed this. Somebody else must approve it.')).toBeVisible()
    await expect(button(first, 'Approve as second person')).toHaveCount(0)
    await expect(button(first, 'Withdraw')).toBeVisible()
    await checkEveryWidth(first, 'console-proposed', widths)
  })

  await test.step('the second operator approves on a phone with the passkey', async () => {
    await second.goto('/console/merchants')
    await second.getByRole('link', { name: 'Tariro Moyo' }).first().click()
    await expect(second.getByText('The certificate is in order')).toBeVisible()
    await expect(second.getByText('New → Approved')).toBeVisible()
    await checkPage(second, 'console-approve-375')
    await button(second, 'Approve as second person').click()
    await expect(toast(second, 'Approved and executed')).toBeVisible()
    await expect(second.getByText('Approved', { exact: true })).toBeVisible()
    await checkPage(second, 'console-approved-375')
  })

  await test.step('the audit log has both', async () => {
    await second.getByRole('link', { name: 'Audit' }).first().click()
    await expect(second.getByText('merchant.approved')).toBeVisible()
    await checkEveryWidth(second, 'console-audit', widths)
    await second.getByLabel('Action', { exact: true }).selectOption('Proposals')
    await expect(second.getByText('merchant.approved')).toHaveCount(0)
    await expect(second.getByText('proposal.approved')).toBeVisible()
    await expect(second).toHaveURL(/about=mer_.*group=proposal/)
    const file = await exportFrom(second, 'Entries, the newest first')
    expect(file).toMatch(/"proposal\.approved","tendai@company\.example"/)
    expect(file).not.toContain('merchant.approved')
    await second.getByLabel('To', { exact: true }).fill('2020-01-01')
    await expect(second.getByText('The audit log has no entry that fits this filter.')).toBeVisible()
    await checkPage(second, 'console-audit-none-375')
    await second.goto('/console/audit?group=operator')
    await expect(second.getByText('operator.audit_exported')).toBeVisible()
  })

  await test.step('a note is kept, and the other operator reads it', async () => {
    await second.goto('/console/merchants?status=approved')
    expect(await exportFrom(second, 'Approved')).toMatch(/"Tariro Moyo","t•••@example\.co\.zw"/)
    await second.getByRole('link', { name: 'Tariro Moyo' }).click()
    await button(second, 'Write the note').click()
    await expect(second.getByText('Please write the note')).toBeVisible()
    await second.getByLabel('New note').fill('Called today.\nThe shop opens on Monday.')
    await button(second, 'Write the note').click()
    await expect(toast(second, 'The note is kept.')).toBeVisible()
    await expect(second.getByLabel('New note')).toHaveValue('')
    await first.reload()
    await expect(first.getByText('The shop opens on Monday.')).toBeVisible()
    await expect(first.getByText(/^tendai@company\.example, /)).toBeVisible()
    await checkEveryWidth(first, 'console-notes', widths)
  })
  await test.step('the ledger of test payments is corrected by two', async () => {
    await second.goto('/console/merchants?status=approved')
    await second.getByRole('link', { name: 'Tariro Moyo' }).click()
    await button(second, 'Correct the ledger').click()
    const dialog = second.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('3')
    await dialog.getByLabel('From the account').selectOption('fee.revenue')
    await dialog.getByLabel('To the account').selectOption('suspense')
    await dialog.getByLabel('For test payments').check()
    await checkEveryWidth(second, 'console-adjust-tests', [375, 320])
    await giveReason(second, 'A test of the provider', 'Propose')
    await expect(second.getByText(/^mer_.*, test payments$/)).toBeVisible()
    await expect(button(second, 'Correct the ledger')).toHaveCount(0)
    await first.goto('/console')
    await first.getByRole('link', { name: /^Correct the ledger/ }).click()
    await button(first, 'Approve as second person').click()
    await expect(toast(first, 'Approved and executed')).toBeVisible()
  })
  for (const page of [first, second]) await page.context().close()
})
