import { expect, test } from './fixtures.ts'
import { checkEmail } from './lib/check-page.ts'
import { title } from './lib/page.ts'
import { payWith } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

test('the receipt and the emails of an account are valid and accessible, in light and dark, at both widths', async ({
  page,
  gateway,
  merchant: { account },
  seller,
  wallet,
}) => {
  const phone = newPhone()
  const customer = { email: account.email, name: 'Rudo Dube' }
  await page.goto((await seller.pay({ customer, reference: 'ORDER-9' })).payment_url)
  await payWith(page, phone)
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  const receipt = 'Receipt from Chiedza Crafts'
  const subjects = async () => (await gateway.mailbox(account.email)).map(({ subject }) => subject)
  await expect.poll(subjects).toContain(receipt)

  const mails = await gateway.mailbox(account.email)
  expect(mails.filter(({ subject }) => subject === receipt)).toHaveLength(1)
  for (const [n, { html, subject }] of mails.entries()) {
    expect(html, subject).toContain('<!doctype html>')
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 740 })
      await checkEmail(page, html, `email-${width}-${n}`)
    }
  }
})
