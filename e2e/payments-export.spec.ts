import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { expect, statusError, test } from './fixtures.ts'
import { checkWidths } from './lib/check-page.ts'
import { makeManyPayments } from './lib/database.ts'
import { approved, counted } from './lib/payments.ts'

test('[PAY-03] [PAY-04] the filtered payments are exported, with a progress bar', async ({
  page,
  gateway,
  merchant,
  seller,
  networkProxy,
  consoleErrors,
}) => {
  await makeManyPayments(gateway.dataDir, seller.application._id, 3000)
  const odd = await seller.pay({ amount: 12.5, description: '=1+1, "two"\nbaskets' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${networkProxy.url}/favicon.svg`)
  await page.evaluate((tokens) => Object.assign(localStorage, tokens), merchant.tokens)
  await page.goto(`${networkProxy.url}/app/payments`)
  await counted(page, '3,001', '3,001')
  const panel = page.getByRole('region', { name: 'Export' })
  const button = page.getByRole('main').getByRole('button', { name: 'Export' })
  const dialog = page.getByRole('dialog', { name: 'Export' })
  const choose = async (...choices: string[]) => {
    for (const choice of choices) await dialog.getByRole('radio', { name: choice }).check()
    await dialog.getByRole('button', { name: 'Export' }).press('Enter')
  }
  const file = page.waitForEvent('download')

  // The session of this tab has expired. It is renewed, and the file is saved.
  await page.evaluate(() => localStorage.setItem('authToken', 'over'))
  await button.click()
  await expect(dialog.getByText('Dates: Any date.')).toBeVisible()
  await checkWidths(page, 'payments-export-question')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await choose()
  await expect(panel).toBeVisible()
  const saved = await file
  await consoleErrors.expect(statusError(401))
  expect(saved.suggestedFilename()).toBe('muripo-payments-tariro-moyo-all.csv')
  await expect(panel.getByText('Saved as muripo-payments-tariro-moyo-all.csv')).toBeVisible()
  await expect(panel.getByText('3,001 payments')).toBeVisible()
  const text = await readFile(await saved.path(), 'utf8')
  expect(text.startsWith('\ufeff"Date","UTC offset","Payment ID",')).toBe(true)
  expect(new Set(text.match(/pay_[0-9a-z]{26}/g)).size).toBe(3001)
  expect(text).toContain(`"${odd.id}",`)
  expect(text).toContain(`,12.50,,,0.00,0.00,,"USD","'=1+1, ""two""\nbaskets",`)
  await checkWidths(page, 'payments-exported')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toBeHidden()
  await expect(button).toBeFocused()

  // On a stalled connection the page shows the progress and can cancel.
  networkProxy.stallAfter(200_000)
  await button.press('Enter')
  await choose()
  await expect(panel.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(panel.getByText(/^[\d,]+ of 3,001 payments$/)).toBeVisible()
  const bar = panel.getByRole('progressbar', { name: 'Payments exported' })
  const reached = async () => Number(await bar.getAttribute('value'))
  await expect.poll(reached).toBeGreaterThan(0)
  await expect(bar).toHaveAttribute('max', '3001')
  await checkWidths(page, 'payments-exporting')
  await panel.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(panel).toBeHidden()
  await expect(button).toBeFocused()

  // A connection that breaks leaves no file.
  await button.click()
  await choose()
  await expect.poll(reached).toBeGreaterThan(0)
  networkProxy.breakConnections()
  await expect(panel.getByRole('alert')).toHaveText(
    'The download broke off. Nothing is lost: no file was saved, and you can export again.',
  )
  await consoleErrors.expect(/ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING/)
  await checkWidths(page, 'payments-export-broken')
  networkProxy.release()
  const again = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Try Again' }).click()
  await again
  await expect(panel.getByText('3,001 payments')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Close' })).toBeFocused()
  await panel.getByRole('button', { name: 'Close' }).click()
})

test('[PAY-04] the movements of a month are exported as a workbook with totals', async ({
  page,
  seller,
  wallet,
  openDashboard,
}) => {
  const paid = await approved(seller, wallet, {}, { amount: 25, description: '=Basket' })
  await openDashboard('/app/payments')
  const months = page.getByRole('group', { name: 'Dates' }).getByRole('button')
  await months.nth(3).click()
  await expect(months.nth(3)).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/from=\d{4}-\d\d-01&to=/)
  await counted(page, '1', '1')
  await expect(page.getByText('COMPLETED')).toBeVisible()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await expect(dialog.getByText(`Dates: ${await months.nth(3).textContent()}.`)).toBeVisible()
  await dialog.getByRole('radio', { name: 'Movements, for the accountant' }).check()
  await dialog.getByRole('radio', { name: 'Excel (XLSX)' }).check()
  const file = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export' }).click()
  const saved = await file
  expect(saved.suggestedFilename()).toMatch(/^muripo-movements-tariro-moyo-\d{4}-\d\d-01-to-[\d-]+\.xlsx$/)
  await expect(
    page.getByRole('region', { name: 'Export' }).getByText('1 movement', { exact: true }),
  ).toBeVisible()
  const parts = unzipSync(await readFile(await saved.path()))
  const sheet = (number: number) => strFromU8(parts[`xl/worksheets/sheet${number}.xml`] ?? new Uint8Array())
  expect(sheet(1)).toContain(`>${paid.id}<`)
  expect(sheet(1)).toContain('>=Basket<')
  expect(sheet(2)).toContain('>Total payment<')
  expect(sheet(2)).toContain('<v>23.72</v>')
})
