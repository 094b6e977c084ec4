import { expect, test } from './fixtures.ts'
import { checkPage } from './lib/check-page.ts'
import { counted, row } from './lib/payments.ts'

test('a search matches phone, customer, reference and purpose, marks the match, and leads out of the chosen days', async ({
  page,
  seller,
  openDashboard,
}) => {
  const customer = { name: 'Tendai Moyo', phone: '077 241 8206' }
  const found = await seller.pay({ description: 'Braai pack 5 kg', reference: 'INV-2041', customer })
  await seller.pay({ description: 'Washing powder', customer: { phone: '+263 78 300 4005' } })
  await openDashboard('/app/payments')
  await counted(page, 2, 2)
  const field = page.getByRole('searchbox', { name: 'Search by payment ID' })
  const marked = row(page, found).locator('mark')
  for (const [typed, line, part] of [
    ['263-77-241', 'Phone +263772418206', '26377241'],
    ['moyo', 'Customer Tendai Moyo', 'Moyo'],
    ['inv-20', 'Reference INV-2041', 'INV-20'],
    ['BRAAI', 'USD25.00 - Braai pack 5 kg', 'Braai'],
    [found.id.slice(-8), found.id, found.id.slice(-8)],
  ] as const) {
    await field.fill(typed)
    await counted(page, 1, 2)
    await expect(row(page, found)).toContainText(line)
    await expect(marked).toHaveText(part)
  }
  await field.fill('077 241 82')
  await expect(marked).toHaveText('7724182')
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  await expect(page.getByText('Only the chosen dates were searched.')).toBeVisible()
  await checkPage(page, 'payments-search')
  await page.getByRole('button', { name: 'Yesterday', exact: true }).click()
  await counted(page, 0, 2)
  await expect(page.getByText('No payments found matching your filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Search in all dates' }).click()
  await expect(marked).toHaveText('7724182')
  await expect(page.getByRole('button', { name: 'Search in all dates' })).toHaveCount(0)
})

test('a new payment of the customer in the search appears in the list', async ({
  page,
  seller,
  openDashboard,
}) => {
  await openDashboard('/app/payments?search=rudo')
  await counted(page, 0, 0)
  const made = await seller.pay({ customer: { name: 'Rudo Chikomo', phone: '0772418206' } })
  await expect(row(page, made)).toContainText('Customer Rudo Chikomo')
})
