import { call, callOk } from '@muripo/rig/call'
import { type Account, createApplication, newEmail, signIn, signUp, type Tokens } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, type Gateway, statusError, storeTokens, test } from './fixtures.ts'
import { codeAfter, enterCode } from './lib/auth.ts'
import { checkLayout, checkPage } from './lib/check-page.ts'
import { button, expectToast } from './lib/page.ts'

const PASSWORD = 'another long sentence'

/** The link of the newest invitation to an address. */
async function invitationFor(gateway: Gateway, email: string): Promise<string> {
  const link = async () =>
    /\/invitation#[\w-]{43}/.exec((await gateway.mailbox(email))[0]?.text ?? '')?.[0] ?? ''
  await expect.poll(link).not.toBe('')
  return link()
}

const invite = (gateway: Gateway, { authToken }: Tokens, email: string, role: string) =>
  callOk('POST', `${gateway.url}/v1/team/invitations`, {
    bearer: authToken,
    body: { email, role },
  })

async function membersOf(gateway: Gateway, { authToken }: Tokens) {
  const { members } = await callOk<{ members: [{ id: string }, { id: string }] }>(
    'GET',
    `${gateway.url}/v1/team`,
    {
      bearer: authToken,
    },
  )
  return members
}

/** A new person who has joined the team by invitation. */
async function join(gateway: Gateway, owner: Tokens, role: string): Promise<Account> {
  const email = newEmail()
  await invite(gateway, owner, email, role)
  const [, token = ''] = (await invitationFor(gateway, email)).split('#')
  const body = { token, fullname: 'Tendai Makoni', password: PASSWORD }
  await callOk('POST', `${gateway.url}/v1/invitations/join`, { body })
  return { email, password: PASSWORD }
}

const member = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
const open = async (page: Page, tokens: Tokens, path = '/app') => {
  await storeTokens(page, tokens)
  await page.goto(path)
}

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 375, height: 740 },
])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height } })

    test('a member is invited, joins as a new person, gets another role and is removed', async ({
      page,
      browser,
      gateway,
      merchant,
      openDashboard,
      baseURL,
    }) => {
      for (const applicationName of ['Shop counter', 'Web shop'])
        await createApplication(gateway.url, merchant.tokens, { applicationName })
      const email = newEmail()
      await openDashboard('/app/settings')
      await page.getByRole('link', { name: 'Team' }).click()
      await expect(page).toHaveURL(/\/app\/settings\/team$/)
      await expect(member(page, merchant.account.email)).toContainText('Owner')
      await button(page, 'Invite').click()
      await page.getByLabel('Email').fill(email)
      await page.getByRole('radio', { name: 'Cashier' }).check()
      await page.getByRole('combobox', { name: 'Applications' }).selectOption('some')
      await page.getByRole('checkbox').first().check()
      await checkPage(page, `team-invite-${width}`)
      await button(page, 'Send invitation').click()
      await expectToast(page, `The invitation to ${email} is on its way`)
      await expect(page.getByText('1 open')).toBeVisible()
      await checkPage(page, `team-${width}`)

      const guest = await (
        await browser.newContext({ baseURL: baseURL ?? '', viewport: { width, height } })
      ).newPage()
      await guest.goto(await invitationFor(gateway, email))
      await expect(guest.getByText('Tariro Moyo invites you as Cashier')).toBeVisible()
      await checkPage(guest, `invitation-${width}`)
      await guest.getByLabel('Your name').fill('Sekai Dube')
      await guest.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(guest, 'Join').click()
      await expect(guest).toHaveURL(/\/auth\/signin$/)
      await guest.getByLabel('Email').fill(email)
      await guest.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await button(guest, 'Sign In').click()
      await expect(guest).toHaveURL(/\/auth\/verify-otp\/otp_/)
      await enterCode(guest, await codeAfter(gateway, email, 0))
      await expect(guest).toHaveURL(/\/app\/till$/)
      await guest.context().close()

      await page.reload()
      await expect(member(page, email)).toContainText('Cashier')
      await button(page, 'More about Sekai Dube').click()
      await checkPage(page, `team-menu-${width}`)
      await page.getByRole('menuitem', { name: 'Change role' }).click()
      await page.getByRole('radio', { name: 'Finance' }).check()
      await page.getByRole('combobox', { name: 'Applications' }).selectOption('all')
      await button(page, 'Save role').click()
      await expectToast(page, 'Sekai Dube has another role now. It holds from the next click on.')
      await expect(member(page, email)).toContainText('Finance')

      const tokens = await signIn(gateway.url, { email, password: PASSWORD })
      await button(page, 'More about Sekai Dube').click()
      await page.getByRole('menuitem', { name: 'Remove from the team' }).click()
      await expect(page.getByText('is signed out on every device at once')).toBeVisible()
      await button(page, 'Remove').click()
      await expect(member(page, email)).toHaveCount(0)
      const { status } = await call('GET', `${gateway.url}/v1/account`, { bearer: tokens.authToken })
      expect(status).toBe(401)
    })

    test('the right account accepts, switches between its shops in every tab, and the wrong one cannot', async ({
      page,
      context,
      gateway,
      merchant,
      seller,
      consoleErrors,
    }) => {
      const guest = await signUp(gateway.url)
      // A first sign-in confirms the address.
      await signIn(gateway.url, guest)
      await seller.pay({ description: 'Of the first shop' })
      await invite(gateway, merchant.tokens, guest.email, 'finance')
      const link = await invitationFor(gateway, guest.email)
      await open(page, merchant.tokens, link)
      // Both addresses begin with the same letter: only the server knows.
      await button(page, 'Accept').click()
      await consoleErrors.expect(statusError(403))
      await expect(page.getByRole('alert')).toContainText(`You are signed in as ${merchant.account.email}`)
      await checkLayout(page, `invitation-other-${width}`)
      await button(page, 'Sign out to accept it').click()
      await page.getByRole('link', { name: 'Sign in to accept' }).click()
      await page.getByLabel('Email').fill(guest.email)
      await page.getByLabel('Password', { exact: true }).fill(guest.password)
      await button(page, 'Sign In').click()
      await expect(page).toHaveURL(/\/auth\/verify-otp\/otp_/)
      await enterCode(page, await codeAfter(gateway, guest.email, 1))
      await expect(page.getByText(`You are signed in as ${guest.email}`)).toBeVisible()
      await checkPage(page, `invitation-accept-${width}`)
      await button(page, 'Accept').click()
      await expect(page).toHaveURL(/\/app$/)

      const tab = await context.newPage()
      await tab.goto('/app/payments')
      await expect(tab.getByText('Showing 1 of 1 payment transactions')).toBeVisible()
      await expect(button(tab, 'Export')).toBeVisible()
      await expect(button(tab, 'New payment')).toHaveCount(0)
      await page.getByRole('button', { name: 'Switch to another shop' }).locator('visible=true').click()
      await checkPage(page, `switch-${width}`)
      await page.getByRole('menuitemradio', { name: 'You are the owner' }).click()
      await expect(tab.getByText('This tab shows your other shop now, too.')).toBeVisible()
      await expect(tab.getByText('No payments yet.')).toBeVisible()
      await expect(button(tab, 'New payment').first()).toBeVisible()
      // The document of the other shop may still be loading, and a list that was opened before is gone with its document.
      await expect(async () => {
        await page.getByRole('button', { name: 'Switch to another shop' }).locator('visible=true').click()
        const own = page.getByRole('menuitemradio', { name: 'You are the owner' })
        await expect(own).toBeChecked({ timeout: 2000 })
      }).toPass()
      consoleErrors.ignore(/net::ERR_\w+/)
    })

    test('a form keeps what was typed when its role is changed, and a removal ends the session', async ({
      page,
      gateway,
      merchant: { tokens },
      consoleErrors,
    }) => {
      const account = await join(gateway, tokens, 'developer')
      const [, { id }] = await membersOf(gateway, tokens)
      const to = `${gateway.url}/v1/team/members/${id}`
      await open(page, await signIn(gateway.url, account), '/app/applications')
      await button(page, 'Create New Application').click()
      await page.getByLabel('Application Name').fill('Baobab Books')
      await page.getByLabel('Description').fill('Books by mail')
      await page.getByRole('combobox', { name: 'Category' }).fill('Retail')
      await page.getByRole('listbox').getByRole('option').first().click()
      await callOk('PATCH', to, { bearer: tokens.authToken, body: { role: 'viewer' } })
      await button(page, 'Create Application').click()
      await expect(page.getByRole('alert')).toContainText('Your role does not allow this any more')
      await expect(page.getByLabel('Application Name')).toHaveValue('Baobab Books')
      await consoleErrors.expect(statusError(403))
      await checkPage(page, `form-not-permitted-${width}`)
      await button(page, 'Cancel').click()
      await page.goto('/app/applications')
      await expect(page.getByText('No applications found')).toBeVisible()
      await expect(button(page, 'Create New Application')).toHaveCount(0)

      await callOk('DELETE', to, { bearer: tokens.authToken })
      await button(page, 'Refresh').click()
      await expect(page).toHaveURL(/\/$/)
      await consoleErrors.expect(statusError(401))
      await consoleErrors.expect(/The session could not be refreshed/)
    })
  })

test('a role that may not open applications chooses one for a new payment', async ({
  page,
  gateway,
  merchant: { tokens },
}) => {
  const account = await join(gateway, tokens, 'support')
  await open(page, await signIn(gateway.url, account), '/app/payments')
  await button(page, 'New payment').first().click()
  const sheet = page.getByRole('dialog', { name: 'New payment' })
  await expect(sheet).toContainText('The owner, an admin or a developer of your team can create one')
  await expect(sheet).not.toContainText('Create an application')
  await expect(sheet.getByRole('link', { name: 'Create an application' })).toHaveCount(0)
  await checkPage(page, 'new-payment-support-no-application')
  await page.keyboard.press('Escape')
  await createApplication(gateway.url, tokens, { applicationName: 'Borrowdale shop' })
  await createApplication(gateway.url, tokens, { applicationName: 'Avondale shop' })
  await button(page, 'New payment').first().click()
  await sheet.getByLabel('Amount').fill('25')
  await sheet.getByRole('textbox', { name: 'What is it for?' }).fill('Woven basket')
  await sheet.getByLabel('Application').selectOption('Borrowdale shop')
  await checkPage(page, 'new-payment-support')
  await sheet.getByRole('button', { name: 'Create payment' }).click()
  const share = sheet.getByRole('link', { name: 'Share on WhatsApp' })
  await expect(share).toHaveAttribute('href', /text=Borrowdale%20shop/)
})

test('a kept link to a page that the role may not open says who can change the role', async ({
  page,
  gateway,
  merchant,
}) => {
  const account = await join(gateway, merchant.tokens, 'developer')
  await open(page, await signIn(gateway.url, account), '/app/reconciliations')
  await expect(page.getByText('Developers do not see Reconciliations')).toBeVisible()
  await expect(
    page.getByText('Tariro Moyo, the owner, can change your role. Nothing was lost.'),
  ).toBeVisible()
  await checkPage(page, 'not-allowed')
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')).toHaveText([
    'Dashboard',
    'Payments',
    'Applications',
    'Settings',
  ])
})
