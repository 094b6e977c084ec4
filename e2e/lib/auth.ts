import type { Page, Request } from '@playwright/test'
import { expect, type Gateway } from '../fixtures.ts'
import { codesIn } from './mailbox.ts'
import type { Account } from './merchant.ts'

export const title = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const codeBoxes = (page: Page) => page.getByRole('textbox', { name: 'One-time code' })

/** The first step, by the form, to the page of the code. */
export async function passwordStep(page: Page, { email, password }: Account): Promise<void> {
  await page.goto('/auth/signin')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign In').click()
  await expect(page).toHaveURL(/\/auth\/verify-otp\/otp_/)
}

/** The code that was mailed after this many others. */
export async function codeAfter(gateway: Gateway, email: string, earlier: number): Promise<string> {
  const codes = async () => codesIn(await gateway.mailbox(email))
  await expect.poll(async () => (await codes()).length).toBeGreaterThan(earlier)
  const [code = ''] = await codes()
  return code
}

/** The calls that a page makes from now on, as METHOD PATH with what was sent. */
export function calls(page: Page) {
  const made: { name: string; request: Request }[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/')) made.push({ name: `${request.method()} ${pathname}`, request })
  })
  const find = (name: string) => made.find((call) => call.name === name)?.request
  return {
    names: () => made.map(({ name }) => name),
    body: (name: string): unknown => find(name)?.postDataJSON(),
    headers: (name: string) => find(name)?.headers() ?? {},
    count: (name: string) => made.filter((call) => call.name === name).length,
  }
}

/** The browser's storage. */
export const stored = (page: Page, name: string): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), name)

/** The response of a proxy in front of a stopped gateway, without a body of ours. */
export const answerLikeABrokenProxy = (page: Page, path: string): Promise<unknown> =>
  page.route(`**/v1${path}`, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  )

/** The same token with a signature that is not the server's. */
export const forged = (token: string): string => `${token.slice(0, -8)}AAAAAAAA`
