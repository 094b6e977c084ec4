import { expect, statusError, test } from './fixtures.ts'
import { pageOf } from './lib/applications.ts'
import { checkCopy, checkLayout, checkWidths } from './lib/check-page.ts'
import { button } from './lib/page.ts'

const LARGEST_PAGE_BYTES = 14_000

/** A logo with a script, of nearly 4 kB that compress badly. */
function logo(): Buffer {
  let seed = 7
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % 100
  }
  const points = Array.from({ length: 1150 }, () => next()).join(' ')
  const drawing = `<script>window.hacked = true</script><polygon points="${points}" fill="#12306b" onclick="hacked = true"/>`
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">${drawing}</svg>`)
}

test('a merchant sets a colour and a logo, and payers see both', async ({
  page,
  browser,
  seller,
  networkProxy,
  openDashboard,
  consoleErrors,
}) => {
  // A sandboxed document has its own origin, and runs neither its own scripts nor those of the fixtures.
  consoleErrors.ignore(/origin-keyed agent cluster|Blocked script execution in '[^']*\/logos\//)
  await openDashboard(pageOf(seller.application._id))
  await button(page, 'Change Logo and Colour').click()
  const dialog = page.getByRole('dialog', { name: 'Change Logo and Colour' })
  const colour = dialog.getByLabel('Colour')
  await colour.fill('#ffb020')
  await button(page, 'Save').click()
  await expect(dialog.getByText('White text cannot be read on this colour.')).toBeVisible()
  await expect(colour).toBeFocused()
  await dialog.getByLabel('Choose from a palette').fill('#7c2d12')
  await expect(colour).toHaveValue('#7c2d12')
  await colour.fill('#0F5132')
  const file = dialog.getByLabel('Logo', { exact: true })
  await file.setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<html/>'),
  })
  await button(page, 'Save').click()
  await expect(dialog.getByText('The logo must be an SVG drawing')).toBeVisible()
  await consoleErrors.expect(statusError(422))
  await checkWidths(page, 'brand-dialog')
  await file.setInputFiles({ name: 'shop.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') })
  await button(page, 'Save').click()
  await expect(dialog.getByText('This browser cannot make this file small enough.')).toBeVisible()
  const photograph = await page.screenshot({ type: 'jpeg' })
  expect(photograph.length).toBeGreaterThan(20_000)
  await file.setInputFiles({ name: 'shop.jpg', mimeType: 'image/jpeg', buffer: photograph })
  await button(page, 'Save').click()
  await expect(dialog).toBeHidden()
  const saved = page.getByRole('img', { name: 'Logo' })
  await expect.poll(() => saved.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(99)
  await button(page, 'Change Logo and Colour').click()
  await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: logo() })
  await button(page, 'Save').click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('img', { name: 'Logo' })).toBeVisible()
  await checkWidths(page, 'brand-application')

  const payment = await seller.pay()
  const before = networkProxy.receivedBytes()
  await page.goto(networkProxy.url + new URL(payment.payment_url).pathname)
  const shown = page.locator('header img')
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(networkProxy.receivedBytes() - before).toBeLessThanOrEqual(LARGEST_PAGE_BYTES)
  await expect(page.locator('header')).toHaveCSS('background-color', 'rgb(15, 81, 50)')
  await checkWidths(page, 'brand-choose', checkLayout)
  await checkWidths(page, 'brand-choose-copy', (shown, name) => checkCopy(browser, shown, name))

  const path = (await shown.getAttribute('src')) ?? ''
  await page.goto(networkProxy.url + path)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})
