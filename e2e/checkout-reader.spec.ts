import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkLayout } from './lib/check-page.ts'
import { title } from './lib/page.ts'
import { number, payWith } from './lib/payers-page.ts'
import { newPhone } from './lib/wallet.ts'

test.describe('at 320 px by touch, with text of twice the size, forced colours and reduced motion', () => {
  test.use({
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
    contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' },
  })
  const enlarge = (page: Page) => page.addStyleTag({ content: 'html { font-size: 200% }' })

  test('a payment is paid, and every control of it is visible', async ({ page, seller, wallet }) => {
    const phone = newPhone()
    await page.goto((await seller.pay()).payment_url)
    await enlarge(page)
    await checkLayout(page, 'reader-choose')
    await expectBorders(page)
    await expectTargets(page)
    await page.getByText('EcoCash', { exact: true }).tap()
    await number(page).tap()
    await expect(number(page)).toBeFocused()
    await number(page).fill(phone)
    await page.getByRole('button', { name: 'Pay USD 25.00' }).tap()
    await expect(title(page, 'Confirm on your phone')).toBeVisible()
    await enlarge(page)
    await checkLayout(page, 'reader-waiting')
    await expectBorders(page)
    await expectTargets(page)
    const moving = await page.evaluate(() =>
      document.getAnimations().map((animation) => (animation as CSSAnimation).animationName),
    )
    expect(moving).toEqual([])
    await wallet.enterPin(phone)
    await expect(title(page, 'Payment completed')).toBeVisible()
    await page.getByRole('link', { name: 'Receipt' }).tap()
    await expect(title(page, 'Receipt')).toBeVisible()
    await enlarge(page)
    await checkLayout(page, 'reader-receipt')
    await expectTargets(page)
  })

  test('a payment is declined, and may be tried again', async ({ page, seller, wallet }) => {
    const phone = newPhone()
    await page.goto((await seller.pay()).payment_url)
    await payWith(page, phone)
    await wallet.decline(phone)
    await expect(title(page, 'Not paid')).toBeVisible()
    await enlarge(page)
    await checkLayout(page, 'reader-declined')
    await expectBorders(page)
  })
})

/** A touch target needs 44 px. A link within a text is as high as its line. */
async function expectTargets(page: Page): Promise<void> {
  expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
  const small = await page
    .locator('button:visible, a.button:visible, a.back:visible, label.row:visible, input[type=tel]:visible')
    .evaluateAll((controls) =>
      controls
        .filter((control) => control.getBoundingClientRect().height < 44)
        .map((control) => control.outerHTML),
    )
  expect(small).toEqual([])
}

/** Forced colours remove backgrounds: a button without a border or an underline would look like text. */
async function expectBorders(page: Page): Promise<void> {
  const bare = await page
    .locator('button:visible, a.button:visible, input[type=text]:visible, input[type=tel]:visible')
    .evaluateAll((controls) =>
      controls
        .filter((control) => {
          const { borderTopStyle, textDecorationLine } = getComputedStyle(control)
          return borderTopStyle === 'none' && textDecorationLine === 'none'
        })
        .map((control) => control.outerHTML),
    )
  expect(bare).toEqual([])
}

/** The element with the focus, as a screen reader announces it. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element instanceof HTMLInputElement)
      return element.type === 'radio'
        ? (element.closest('label')?.querySelector('b')?.textContent ?? '')
        : (element.labels?.[0]?.textContent ?? '')
    return element?.textContent ?? ''
  })

test('a payment is paid by keyboard alone, in the reading order of the page', async ({
  page,
  seller,
  wallet,
}) => {
  const phone = newPhone()
  await page.goto((await seller.pay({ cancel_url: 'https://shop.example/' })).payment_url)
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - main:
      - paragraph: Chiedza Crafts
      - paragraph: USD 25.00
      - paragraph: Woven basket
      - heading "Pay Chiedza Crafts" [level=1]
      - group "How would you like to pay?":
        - radio /EcoCash/
        - radio /InnBucks/
        - radio /OneMoney/
        - radio /Visa/
      - textbox "Phone number"
      - button "Pay USD 25.00"
      - button "Cancel and go back to Chiedza Crafts"
    - contentinfo:
      - text: Secured by Muripo
  `)
  const stops: string[] = []
  const tab = async () => {
    await page.keyboard.press('Tab')
    stops.push((await focused(page)).trim())
  }
  await tab()
  await page.keyboard.press('Space')
  await tab()
  await page.keyboard.type(phone)
  await tab()
  await tab()
  expect(stops).toEqual(['EcoCash', 'Phone number', 'Pay USD 25.00', 'Cancel and go back to Chiedza Crafts'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')

  await expect(title(page, 'Confirm on your phone')).toBeVisible()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Confirm on your phone" [level=1]
    - paragraph: /EcoCash is sending a request/
    - list:
      - listitem: Wait for the EcoCash message on your phone.
      - listitem: /Check that it says USD 25\\.00/
      - listitem: Enter your wallet PIN there to confirm. Never type the PIN on this page.
  `)
  await wallet.enterPin(phone)
  await expect(title(page, 'Payment completed')).toBeVisible()
  const receipt = page.getByRole('link', { name: 'Receipt' })
  for (let presses = 0; presses < 5; presses += 1) {
    await page.keyboard.press('Tab')
    if (await receipt.evaluate((link) => link === document.activeElement)) break
  }
  await page.keyboard.press('Enter')
  await expect(title(page, 'Receipt')).toBeVisible()
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Receipt" [level=1]
    - term: Amount
    - definition: USD 25.00
    - term: For
    - definition: Woven basket
    - term: Status
    - definition: Paid
  `)
})
