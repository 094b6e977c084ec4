import { gzipSync } from 'node:zlib'
import { findPayment } from '@muripo/rig/merchant'
import { expect, statusError, test } from './fixtures.ts'
import { checkCopy } from './lib/check-page.ts'
import { expirePayment } from './lib/database.ts'
import { title } from './lib/page.ts'
import { number, payFrom, payToPrompt, payWith } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

// Every payer's page works on the cheapest phone: no script, and the narrowest screen of a new phone.
test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } })

const LARGEST_PAGE_BYTES = 14_000

test('the page is small, needs no script and loads nothing but its favicon', async ({
  page,
  seller,
  wallet,
}) => {
  const phone = newPhone()
  const { payment_url } = await seller.pay()
  const requested = new Set<string>()
  page.on('request', (request) => requested.add(request.url()))
  const expectSmall = async () => {
    const bodies = await Promise.all([...requested].map(async (url) => (await fetch(url)).text()))
    for (const body of bodies) expect(body).not.toMatch(/<script (?!nonce=)|javascript:|<[^>]+\son\w+=/i)
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
    expect(bytes).toBeLessThan(LARGEST_PAGE_BYTES)
  }

  await page.goto(payment_url)
  await expectSmall()
  await payWith(page, phone)
  await expect(title(page, 'Confirm on your phone')).toBeVisible()
  await expectSmall()
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  await expectSmall()
  expect([...requested].filter((url) => url !== payment_url && !url.endsWith('/favicon.svg'))).toEqual([])
})

test('shows payee, amount and description, and is not cached', async ({ browser, page, seller }) => {
  const { payment_url } = await seller.pay({ description: 'Basket <b>"large"</b> & lid' })
  const response = await page.goto(payment_url)
  expect(response?.headers()).toMatchObject({ 'cache-control': 'no-store' })
  await expect(page).toHaveTitle('Pay Chiedza Crafts')
  await expect(page.getByRole('banner').or(page.locator('header'))).toHaveText(
    /Chiedza Crafts\s*USD 25\.00\s*Basket <b>"large"<\/b> & lid/,
  )
  await checkCopy(browser, page, 'checkout-choose')
})

test('a dark page is printed in light colours', async ({ page, seller }) => {
  const paper = () =>
    page.locator('.card').evaluate((card) => {
      const { backgroundColor, color } = getComputedStyle(card)
      return { backgroundColor, color }
    })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto((await seller.pay()).payment_url)
  expect(await paper()).toEqual({ backgroundColor: 'rgb(17, 26, 43)', color: 'rgb(230, 236, 245)' })
  await page.emulateMedia({ media: 'print' })
  expect(await paper()).toEqual({ backgroundColor: 'rgb(255, 255, 255)', color: 'rgb(16, 24, 40)' })
})

test('an invalid number has an error beside the field, and remains in it', async ({
  consoleErrors,
  browser,
  page,
  seller,
}) => {
  const { payment_url } = await seller.pay()
  await page.goto(payment_url)
  await page.getByRole('radio', { name: 'EcoCash' }).check()
  for (const [typed, sentence] of [
    ['077 12', 'Please enter a valid phone number'],
    ['call me', 'Please enter a valid phone number'],
    ['071 123 4567', '071 numbers usually have OneMoney. Choose OneMoney, or enter your EcoCash number'],
    ['073 123 4567', 'Please enter an EcoCash number (077 or 078)'],
  ] as const) {
    await payWith(page, typed)
    await expect(number(page)).toHaveAccessibleDescription(new RegExp(escaped(sentence)))
    await expect(page.getByRole('alert')).toHaveText(sentence)
    await expect(number(page)).toHaveValue(typed)
    await expect(page.getByRole('radio', { name: 'EcoCash' })).toBeChecked()
  }
  await checkCopy(browser, page, 'checkout-bad-number')
  await consoleErrors.expect(statusError(422))
})

const escaped = (text: string) => text.replace(/[()]/g, '\\$&')

test('accepts a phone number in each common notation', async ({ context, seller, wallet }) => {
  for (const write of [
    (rest: string) => `077${rest}`,
    (rest: string) => `+263 77 ${rest.slice(0, 3)} ${rest.slice(3)}`,
    (rest: string) => `26377${rest}`,
    (rest: string) => `77 ${rest}`,
    (rest: string) => `(077) ${rest.slice(0, 3)}-${rest.slice(3)}`,
  ]) {
    const phone = newPhone()
    // Without scripts a waiting page reloads, and its reload would compete with the next navigation.
    const page = await context.newPage()
    await page.goto((await seller.pay()).payment_url)
    await payWith(page, write(phone.slice(3)))
    await expect(title(page, 'Confirm on your phone')).toBeVisible()
    expect(await wallet.transactions(phone)).toMatchObject([{ kind: 'charge', minor: 2500, currency: 'USD' }])
    await page.close()
  }
})

test('a payment that is declined on the phone shows the reason, and a second attempt succeeds', async ({
  browser,
  page,
  seller,
  wallet,
  merchantSite,
}) => {
  const phone = newPhone()
  const { id, payment_url } = await seller.pay({
    success_url: `${merchantSite.url}/thanks?order=7`,
    cancel_url: `${merchantSite.url}/basket`,
  })
  await payToPrompt(page, payment_url, phone)
  await expect(page.getByText(`0${phone.slice(1, 3)} *** ${phone.slice(-4)}`)).toBeVisible()
  await checkCopy(browser, page, 'checkout-waiting')

  await wallet.decline(phone)
  await expect(title(page, 'Not paid')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('The payment was cancelled on the phone.')
  await expect(title(page, 'Try again')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel and go back to Chiedza Crafts' })).toBeVisible()
  await checkCopy(browser, page, 'checkout-declined')

  await payWith(page, phone)
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  await checkCopy(browser, page, 'checkout-completed')
  await expect(title(page, 'Back at the shop')).toBeVisible()
  expect(merchantSite.visits).toEqual([`/thanks?order=7&payment_id=${id}&status=completed`])
  expect((await wallet.transactions(phone)).map(({ status }) => status).toSorted()).toEqual([
    'completed',
    'failed',
  ])
})

test('a payment that its payer cancels shows the status, leads back to the merchant, and accepts no further form', async ({
  browser,
  page,
  seller,
  wallet,
  merchantSite,
}) => {
  const phone = newPhone()
  await page.goto((await seller.pay()).payment_url)
  await expect(page.getByRole('button', { name: /Cancel/ })).toBeHidden()

  const { id, payment_url } = await seller.pay({ cancel_url: `${merchantSite.url}/basket` })
  await page.goto(payment_url)
  await page.getByRole('button', { name: 'Cancel and go back to Chiedza Crafts' }).click()
  await expect(title(page, 'Payment cancelled')).toBeVisible()
  await expect(number(page)).toBeHidden()
  await checkCopy(browser, page, 'checkout-cancelled')
  await page.getByRole('link', { name: 'Back to Chiedza Crafts' }).click()
  await expect(title(page, 'Back at the shop')).toBeVisible()
  expect(merchantSite.visits).toEqual([`/basket?payment_id=${id}&status=failed`])
  await payFrom(phone, { payment_url })
  expect(await wallet.transactions(phone)).toEqual([])
  await page.goto(payment_url)
  await expect(title(page, 'Payment cancelled')).toBeVisible()
})

test('an expired payment shows its expiry, also after a failed attempt', async ({
  browser,
  page,
  seller,
  gateway,
}) => {
  const { id, payment_url } = await seller.pay()
  await page.goto(payment_url)
  await payWith(page, '077 444 4444')
  await expect(title(page, 'Not paid')).toBeVisible()
  await expirePayment(gateway.dataDir, id)
  const { applicationKey } = seller.application
  await expect
    .poll(() => findPayment(gateway.url, applicationKey, id))
    .toMatchObject({ status: 'failed', status_reason: 'expired' })
  await page.goto(payment_url)
  await expect(title(page, 'This payment link has expired')).toBeVisible()
  await checkCopy(browser, page, 'checkout-expired')
})

test('a PIN that fails shows the reason and the form again', async ({ context, seller, wallet }) => {
  const cases = [
    ['1111', 'There was not enough money in the wallet.'],
    ['2222', 'The PIN was not correct.'],
    ['9999', 'This payment is over the limit of the wallet.'],
  ] as const
  await Promise.all(
    cases.map(async ([pin, sentence]) => {
      const phone = newPhone()
      const page = await context.newPage()
      await page.goto((await seller.pay()).payment_url)
      await payWith(page, phone)
      await wallet.enterPin(phone, pin)
      await expect(page.getByRole('alert')).toContainText(sentence)
      await expect(number(page)).toBeVisible()
    }),
  )
})

test('four test numbers have automatic outcomes', async ({ context, seller }) => {
  const paid = 'has been told that you paid'
  const cases = [
    ['077 111 1111', 'Payment completed', paid],
    ['077 222 2222', 'Payment completed', paid],
    ['077 333 3333', 'Not paid', 'The payment was cancelled on the phone.'],
    ['077 444 4444', 'Not paid', 'There was not enough money in the wallet.'],
  ] as const
  await Promise.all(
    cases.map(async ([phone, heading, detail]) => {
      const page = await context.newPage()
      await page.goto((await seller.pay()).payment_url)
      await payWith(page, phone)
      await expect(title(page, heading)).toBeVisible()
      await expect(page.getByText(detail)).toBeVisible()
    }),
  )
})

test('a link that was never issued shows an error', async ({ browser, page, consoleErrors }) => {
  for (const token of ['nothing', 'x'.repeat(3000), '%00', `${'a'.repeat(60)}.${'b'.repeat(60)}`]) {
    const response = await page.goto(`/pay/${token}`)
    expect(response?.status(), token.slice(0, 20)).toBe(404)
    await expect(title(page, 'This payment link does not exist')).toBeVisible()
  }
  await checkCopy(browser, page, 'checkout-unknown')
  await consoleErrors.expect(statusError(404))
})

test('a form that is submitted twice, or five times at once, charges once', async ({
  page,
  seller,
  wallet,
}) => {
  const phone = newPhone()
  const { payment_url } = await seller.pay()
  await page.goto(payment_url)
  await number(page).fill(phone)
  await page.getByRole('button', { name: 'Pay USD 25.00' }).dblclick()
  await expect(title(page, 'Confirm on your phone')).toBeVisible()
  expect(await wallet.transactions(phone)).toHaveLength(1)

  const other = newPhone()
  const second = await seller.pay()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(second.payment_url, {
        method: 'POST',
        headers: { origin: new URL(second.payment_url).origin },
        body: new URLSearchParams({ method: 'ecocash', phone: other }),
        redirect: 'manual',
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
  expect(await wallet.transactions(other)).toHaveLength(1)
})

test('a form of another site is refused', async ({ seller, wallet }) => {
  const phone = newPhone()
  const { payment_url } = await seller.pay()
  const { origin, pathname } = new URL(payment_url)
  // A link parser would read the second address as an address of the other site.
  for (const address of [payment_url, `${origin}//elsewhere.example${pathname}`]) {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { origin: 'http://elsewhere.example' },
      body: new URLSearchParams({ method: 'ecocash', phone }),
      redirect: 'manual',
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await wallet.transactions(phone)).toEqual([])
  }
})

test('the back button shows the current status of the payment, and never a second form', async ({
  page,
  seller,
  wallet,
  merchantSite,
}) => {
  const phone = newPhone()
  const { payment_url } = await seller.pay({ success_url: merchantSite.url })
  await page.goto(merchantSite.url)
  await payToPrompt(page, payment_url, phone)
  await page.goto(merchantSite.url)
  await page.goBack()
  await expect(title(page, 'Confirm on your phone')).toBeVisible()
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  await expect(title(page, 'Back at the shop')).toBeVisible()
  await page.goBack()
  await expect(title(page, 'Payment completed')).toBeVisible()
  await expect(number(page)).toBeHidden()
  expect(await wallet.transactions(phone)).toHaveLength(1)
})

test('long words fit a page of 320 px', async ({ browser, page, seller }) => {
  const { payment_url } = await seller.pay({ description: 'Nyanga'.repeat(60), amount: 999_999_999.99 })
  await page.goto(payment_url)
  await checkCopy(browser, page, 'checkout-long-words')
})
