import { codesIn } from '@muripo/rig/mailbox'
import type { Account } from '@muripo/rig/merchant'
import { totpCode } from '@muripo/testing/authenticator-app'
import type { Page } from '@playwright/test'
import { expect, type Gateway } from '../fixtures.ts'
import { button } from './page.ts'

export const codeBoxes = (page: Page) => page.getByRole('textbox', { name: 'One-time code' })

/** Types the code. Its last digit submits it. */
export async function enterCode(page: Page, code: string): Promise<void> {
  await codeBoxes(page).first().focus()
  await page.keyboard.type(code)
}

/** Submits the sign-in form, which leads to the page of the code. */
export async function passwordStep(page: Page, { email, password }: Account): Promise<void> {
  await page.goto('/auth/signin')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign In').click()
  await expect(page).toHaveURL(/\/auth\/verify-otp\/otp_/)
}

/** The newest code, once more than this number of codes were emailed. */
export async function codeAfter(gateway: Gateway, email: string, earlier: number): Promise<string> {
  const codes = async () => codesIn(await gateway.mailbox(email))
  await expect.poll(async () => (await codes()).length).toBeGreaterThan(earlier)
  const [code = ''] = await codes()
  return code
}

/** Responds like a proxy in front of a stopped gateway, without the gateway's error body. */
export const respondLikeProxy = (page: Page, path: string): Promise<unknown> =>
  page.route(`**/v1${path}`, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  )

/** The token with a wrong signature. */
export const forged = (token: string): string => `${token.slice(0, -8)}AAAAAAAA`

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** Adds an app, and returns its secret with the recovery codes. */
export async function addApp(page: Page, password: string) {
  await button(page, 'Add an App').click()
  await dialog(page, 'Add an App').getByLabel('Your password', { exact: true }).fill(password)
  await button(page, 'Continue').click()
  const secret = (await dialog(page, 'Add an App').locator('code').textContent()) ?? ''
  await dialog(page, 'Add an App').getByLabel('Code of the app').fill(totpCode(secret, new Date()))
  await dialog(page, 'Add an App').getByRole('button', { name: 'Add an App' }).click()
  const codes = dialog(page, 'Your Recovery Codes').getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return { secret, codes: await codes.allTextContents() }
}
