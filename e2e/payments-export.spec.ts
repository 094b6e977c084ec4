import { readFile } from 'node:fs/promises'
import { expect, statusError, test } from './fixtures.ts'
import { checkWidths } from './lib/check-page.ts'
import { makeManyPayments } from './lib/database.ts'
import { counted } from './lib/payments.ts'

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
  const button = page.getByRole('button', { name: 'Export' })
  const file = page.waitForEvent('download')

  // The session of this tab has expired. It is renewed, and the file is saved.
  await page.evaluate(() => localStorage.setItem('authToken', 'over'))
  await button.click()
  const saved = await file
  await consoleErrors.expect(statusError(401))
  expect(saved.suggestedFilename()).toBe('muripo-payments-tariro-moyo-all.csv')
  await expect(panel.getByText('Saved as muripo-payments-tariro-moyo-all.csv')).toBeVisible()
  await expect(panel.getByText('3,001 payments')).toBeVisible()
  const text = await readFile(await saved.path(), 'utf8')
  expect(text.startsWith('\ufeffDate,Payment ID,')).toBe(true)
  expect(new Set(text.match(/pay_[0-9a-z]{26}/g)).size).toBe(3001)
  expect(text).toContain(`${odd.id},`)
  expect(text).toContain(`,12.50,,,,0.00,USD,"'=1+1, ""two""\nbaskets",`)
  await checkWidths(page, 'payments-exported')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toBeHidden()
  await expect(button).toBeFocused()

  // On a stalled connection the page shows the progress and can cancel.
  networkProxy.stallAfter(200_000)
  await button.press('Enter')
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
