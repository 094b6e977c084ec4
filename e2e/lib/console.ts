import type { OperatorRole } from '@muripo/contract/console-permissions'
import { type Browser, expect, type Page } from '@playwright/test'
import type { Gateway } from '../fixtures.ts'
import { plugIn } from './authenticator.ts'
import { runShell } from './commands.ts'
import { button, title } from './page.ts'

/** A command of the operator of the gateway. */
export const admin = (gateway: Gateway, words: string): Promise<string> =>
  runShell(`npm run --silent admin -- ${words}`, { MURIPO_DATA: gateway.dataDir, HOME: gateway.dataDir })

/** The address of the console: a passkey belongs to a host name. */
export const consoleUrl = (gateway: Gateway): string => gateway.url.replace('127.0.0.1', 'localhost')

/** Adds an operator, and returns the path of the link that registers a passkey. */
export async function addOperator(gateway: Gateway, email: string, role: OperatorRole): Promise<string> {
  const answer = await admin(gateway, `operators add ${email} --role ${role}`)
  const [link = ''] = /\/console\/enrol#\S+/.exec(answer) ?? []
  return link
}

interface Viewport {
  readonly width: number
  readonly height: number
}

/** A browser of a new operator, who has registered a passkey with the link and signed in. */
export async function openConsole(
  browser: Browser,
  gateway: Gateway,
  {
    email,
    role,
    viewport,
  }: { readonly email: string; readonly role: OperatorRole; readonly viewport: Viewport },
): Promise<Page> {
  const link = await addOperator(gateway, email, role)
  const context = await browser.newContext({ baseURL: consoleUrl(gateway), viewport })
  const page = await context.newPage()
  await plugIn(page)
  await page.goto(link)
  await button(page, 'Make a passkey').click()
  await page.getByRole('link', { name: 'Go to the sign-in' }).click()
  await signInToConsole(page)
  await expect(title(page, 'Today')).toBeVisible()
  return page
}

export const signInToConsole = (page: Page): Promise<void> =>
  button(page, 'Sign in with your passkey').click()
