import { expect, statusError, test } from './fixtures.ts'
import { plugIn } from './lib/authenticator.ts'
import { checkEveryWidth, checkPage } from './lib/check-page.ts'
import {
  addOperator,
  consoleOf,
  consoleUrl,
  desktop,
  operator,
  phone,
  signInToConsole,
  widths,
} from './lib/console.ts'
import { button, title } from './lib/page.ts'

test.use({
  baseURL: ({ gateway }, use) => use(consoleUrl(gateway)),
  viewport: desktop,
  // A gateway of its own, which has no operators of other files.
  settings: { LOG_LEVEL: 'debug' },
})

test('an operator makes a passkey with the link, signs in, and comes back to the page after the end of the session', async ({
  page,
  gateway,
  consoleErrors,
}) => {
  const authenticator = await plugIn(page)
  const link = await addOperator(consoleOf(gateway), { email: 'tendai@company.example', role: 'risk' })

  await test.step('the link is needed, and good once', async () => {
    await page.goto('/console/enrol')
    await expect(page.getByRole('alert')).toHaveText(/lacks its link/)
    await expect(button(page, 'Make a passkey')).toBeDisabled()
    await checkEveryWidth(page, 'console-enrol-without-link', widths)
    await page.goto(link)
    await page.reload()
    await authenticator.recogniseUser(false)
    await button(page, 'Make a passkey').click()
    await expect(page.getByRole('alert')).toHaveText(/the prompt was closed.*The link still works/)
    await checkPage(page, 'console-enrol-closed')
    await authenticator.recogniseUser(true)
    await button(page, 'Make a passkey').click()
    await expect(title(page, 'Your passkey is ready, tendai')).toBeVisible()
    await checkPage(page, 'console-enrol-done')
  })

  await test.step('the sign-in opens Today', async () => {
    await page.getByRole('link', { name: 'Go to the sign-in' }).click()
    await checkEveryWidth(page, 'console-sign-in', widths)
    await signInToConsole(page)
    await expect(title(page, 'Today')).toBeVisible()
    await expect(page.getByText('Nothing waits')).toBeVisible()
    await expect(page.getByRole('main').getByRole('status')).toHaveText(/You are the only operator/)
    await checkEveryWidth(page, 'console-today', widths)
  })

  await test.step('a session without a call in time leads to the sign-in and back', async () => {
    await page.goto('/console')
    await expect(title(page, 'Today')).toBeVisible()
    await page.evaluate(() => localStorage.setItem('consoleCalledAt', '0'))
    await expect(title(page, 'Sign in to the console')).toBeVisible()
    await expect(page.getByText('what you typed is still there')).toBeVisible()
    await expect(title(page, 'Today')).toBeHidden()
    await checkPage(page, 'console-ended')
    await signInToConsole(page)
    await expect(title(page, 'Today')).toBeVisible()
  })

  await test.step('the sign-out leaves nothing', async () => {
    await button(page, 'Sign Out').click()
    await expect(title(page, 'Sign in to the console')).toBeVisible()
    await page.goto('/console')
    await expect(title(page, 'This page does not exist')).toBeVisible()
    await consoleErrors.expect(statusError(404))
  })
})

test('on a phone the menu holds the pages, the languages and the way out', async ({ browser, gateway }) => {
  const page = await operator(browser, gateway, 'admin', phone)
  await button(page, 'Open menu').click()
  const menu = page.getByRole('dialog')
  await expect(menu.getByRole('link', { name: 'Today' })).toHaveAttribute('aria-current', 'page')
  await checkPage(page, 'console-menu-375')
  await menu.getByRole('link', { name: 'chiShona' }).click()
  await expect(title(page, 'Nhasi')).toBeVisible()
  await checkPage(page, 'console-today-375-sn')
  await page.context().close()
})

test('a merchant finds no page of the console', async ({ page, openDashboard, consoleErrors }) => {
  await openDashboard()
  for (const path of ['/console', '/console/merchants', '/console/anything']) {
    const response = await page.goto(path)
    expect(response?.status(), path).toBe(404)
    await expect(title(page, 'This page does not exist')).toBeVisible()
    await consoleErrors.expect(statusError(404))
  }
})

test('only pages of the console may show a file of their own in a frame', async ({ request }) => {
  const framesOf = async (path: string) =>
    /frame-src [^;]*/.exec((await request.get(path)).headers()['content-security-policy'] ?? '')?.[0]
  expect(await framesOf('/console/sign-in')).toBe('frame-src blob:')
  for (const path of ['/', '/app', '/console', '/auth/signin'])
    expect(await framesOf(path), path).toBeUndefined()
})
