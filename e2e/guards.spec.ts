import { expect, storeTokens, test } from './fixtures.ts'
import { title } from './lib/page.ts'

const guestPages = [
  ['/auth/signin', 'Sign in'],
  ['/auth/signup', 'Create your account'],
  ['/auth/forgot-password', 'Forgot your password?'],
  ['/auth/verify-otp/otp_00000000000000000000000000', 'Enter your code'],
  ['/auth/password/set-new/otp_00000000000000000000000000', 'Set a new password'],
] as const
const merchantPages = [
  ['/app', 'Dashboard'],
  ['/app/payments', 'Payments'],
  ['/app/applications', 'Applications'],
  ['/app/invoices', 'Invoices'],
  ['/app/reconciliations', 'Reconciliations'],
  ['/app/settings', 'Settings'],
] as const

test('[GUARD-07] [GUARD-08] [GUARD-09] [GUARD-10] [GUARD-11] [GUARD-21] [GUARD-23] pages for guests redirect signed-in users', async ({
  page,
  merchant,
}) => {
  for (const [path, heading] of guestPages) {
    await page.goto(path)
    await expect(title(page, heading)).toBeVisible()
  }
  await storeTokens(page, merchant.tokens)
  for (const [path] of guestPages) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/app')
  }
})

test('[GUARD-12] [GUARD-13] [GUARD-14] [GUARD-15] [GUARD-16] [GUARD-17] [GUARD-18] [GUARD-20] [GUARD-23] pages of the dashboard redirect guests', async ({
  page,
  merchant,
  seller,
}) => {
  const manage = `/app/applications/manage/${seller.application._id}`
  const pages = [...merchantPages, [manage, seller.application.applicationName]] as const
  for (const [path] of pages) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/')
  }
  await storeTokens(page, merchant.tokens)
  for (const [path, heading] of pages) {
    await page.goto(path)
    await expect(page, path).toHaveURL(path)
    await expect(title(page, heading)).toBeVisible()
  }
})

test('[GUARD-19] [SESS-04] [R-23] both guards begin with a spinner, and never with the guarded page', async ({
  page,
  request,
  merchant,
}) => {
  for (const path of ['/app', '/app/payments', '/auth/signin', '/auth/signup', '/auth/forgot-password']) {
    const html = await (await request.get(path)).text()
    expect(html, path).toMatch(
      /role="status"[^>]*aria-label="Loading"|aria-label="Loading"[^>]*role="status"/,
    )
    expect(html, path).not.toMatch(/<form|<h1/)
  }
  await storeTokens(page, merchant.tokens)
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const heading = document.querySelector('h1')?.textContent
      if (heading && seen.at(-1) !== heading) seen.push(heading)
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  await page.goto('/auth/signin')
  await expect(title(page, 'Dashboard')).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['Dashboard'])
})
