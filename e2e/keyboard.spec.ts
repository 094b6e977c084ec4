import { mailedCode, password } from '@muripo/rig/merchant'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { button, title } from './lib/page.ts'
import { approved, confirmation, counted, details, inConfirmation, inDetails } from './lib/payments.ts'

const MOST_KEYS = 80

const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement)

/** Waits until something has the focus: between two keys it must never stay on the body, before the whole page. */
const expectFocus = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body),
    )
    .toBe(true)

/** Presses a key until a control has the focus, as a person does who sees where the focus is. */
async function moveTo(page: Page, control: Locator, key = 'Tab'): Promise<void> {
  await expect(control).toBeVisible()
  for (let pressed = 0; !(await isFocused(control)); pressed += 1) {
    expect(pressed, `${key} does not reach ${control}`).toBeLessThan(MOST_KEYS)
    await page.keyboard.press(key)
    await expectFocus(page)
  }
}

async function press(page: Page, control: Locator, key = 'Tab'): Promise<void> {
  await moveTo(page, control, key)
  await page.keyboard.press('Enter')
}

test('a merchant signs in, finds a payment, refunds a part of it and signs out with the keyboard alone', async ({
  page,
  gateway,
  merchant,
  seller,
  wallet,
}) => {
  await approved(seller, wallet, {}, { customer: { name: 'Tendai Moyo' } })
  await seller.pay({ customer: { name: 'Rudo Ndlovu' } })

  await test.step('signs in', async () => {
    const code = () => mailedCode(gateway.url, merchant.account.email)
    const earlier = await code()
    await page.goto('/auth/signin')
    await moveTo(page, page.getByLabel('Email'))
    await page.keyboard.type(merchant.account.email)
    await moveTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/auth\/verify-otp\//)
    await moveTo(page, page.getByRole('textbox', { name: 'One-time code' }).first())
    await expect.poll(code).not.toBe(earlier)
    await page.keyboard.type(await code())
    await expect(title(page, 'Dashboard')).toBeVisible()
    await expectFocus(page)
  })

  await test.step('finds the payment by its customer', async () => {
    const menu = page.getByRole('navigation').first()
    await press(page, menu.getByRole('link', { name: 'Payments', exact: true }), 'Shift+Tab')
    await counted(page, 2, 2)
    await expectFocus(page)
    await moveTo(page, page.getByRole('searchbox'))
    await page.keyboard.type('moyo')
    await counted(page, 1, 2)
  })

  await test.step('refunds a part of it', async () => {
    await press(page, button(page, 'View Details'))
    await press(page, inDetails(page, 'Refund Payment'))
    await moveTo(page, confirmation(page).getByRole('textbox'))
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('15')
    await press(page, inConfirmation(page, 'Refund USD15.00'))
    await expect(details(page).getByText('USD15.00 refunded', { exact: true })).toBeVisible()
    await expectFocus(page)
    await page.keyboard.press('Escape')
    await expect(details(page)).toBeHidden()
    await expect.poll(() => isFocused(button(page, 'View Details'))).toBe(true)
  })

  await test.step('signs out', async () => {
    await press(page, button(page, 'Sign Out'), 'Shift+Tab')
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }))
    await expect(page).toHaveURL(/\/$/)
    await expectFocus(page)
  })
})
