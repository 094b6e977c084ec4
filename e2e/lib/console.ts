import { readFile } from 'node:fs/promises'
import type { OperatorRole } from '@muripo/contract/console-permissions'
import { type Browser, expect, type Page } from '@playwright/test'
import type { Gateway } from '../fixtures.ts'
import { plugIn } from './authenticator.ts'
import { runShell } from './commands.ts'
import { button, title } from './page.ts'

/** The console of a gateway. */
export interface ConsoleAt {
  /** Its address: a passkey belongs to a host name. */
  readonly url: string
  /** Runs a command of the operator. */
  admin(words: string): Promise<string>
}

export const consoleUrl = (gateway: Pick<Gateway, 'url'>): string =>
  gateway.url.replace('127.0.0.1', 'localhost')

export const consoleOf = (gateway: Gateway): ConsoleAt => ({
  url: consoleUrl(gateway),
  admin: (words) =>
    runShell(`npm run --silent admin -- ${words}`, { MURIPO_DATA: gateway.dataDir, HOME: gateway.dataDir }),
})

interface NewOperator {
  readonly email: string
  readonly role: OperatorRole
}

/** Adds an operator, and returns the path of the link that registers a passkey. */
export async function addOperator({ admin }: ConsoleAt, { email, role }: NewOperator): Promise<string> {
  const answer = await admin(`operators add ${email} --role ${role}`)
  const [link = ''] = /\/console\/enrol#\S+/.exec(answer) ?? []
  return link
}

interface Opened extends NewOperator {
  readonly viewport: { readonly width: number; readonly height: number }
}

/** A browser of a new operator, who has registered a passkey with the link and signed in. */
export async function openConsole(browser: Browser, at: ConsoleAt, operator: Opened): Promise<Page> {
  const link = await addOperator(at, operator)
  const context = await browser.newContext({
    baseURL: at.url,
    viewport: operator.viewport,
    // A gateway for real money has TLS, with a certificate of the test.
    ignoreHTTPSErrors: true,
  })
  const page = await context.newPage()
  await plugIn(page)
  await page.goto(link)
  await button(page, 'Make a passkey').click()
  await page.getByRole('link', { name: 'Go to the sign-in' }).click()
  await signInToConsole(page)
  await expect(title(page, 'Today')).toBeVisible()
  return page
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 375, height: 740 }
export const widths = [1440, 768, 375, 320]

let operators = 0

/** An operator with a browser; on a phone where the viewport is narrow. */
export async function operator(
  browser: Browser,
  gateway: Gateway,
  role: OperatorRole,
  viewport = desktop,
): Promise<Page> {
  operators += 1
  return openConsole(browser, consoleOf(gateway), {
    email: `${role}${operators}@company.example`,
    role,
    viewport,
  })
}

/** A command of one person, whatever operators there are. */
export const alone = (gateway: Gateway, words: string): Promise<string> =>
  runShell(`npm run --silent admin -- ${words}`, {
    MURIPO_DATA: gateway.dataDir,
    HOME: gateway.dataDir,
    FOUR_EYES: 'off',
  })

/** Opens the page of a merchant from the list. */
export async function openMerchant(page: Page, email: string): Promise<void> {
  await page.goto(`/console/merchants?search=${email}`)
  await page.getByRole('link', { name: 'Tariro Moyo' }).click()
  await expect(title(page, 'Tariro Moyo')).toBeVisible()
}

export const signInToConsole = (page: Page): Promise<void> =>
  button(page, 'Sign in with your passkey').click()

/** Gives the reason that a dialog asks for. */
export async function giveReason(page: Page, reason: string, verb: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
}

/** The text of the file that the export of a list saves. @param panel the title of the list's panel */
export async function exportFrom(page: Page, panel: string): Promise<string> {
  const saving = page.waitForEvent('download')
  await page
    .getByRole('region', { name: panel, exact: true })
    .getByText('Export CSV', { exact: true })
    .click()
  return readFile(await (await saving).path(), 'utf8')
}
