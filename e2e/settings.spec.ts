import { expect, test } from './fixtures.ts'
import { look } from './lib/look.ts'

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 740 : 900 } })

    test('[SET-01] the account as it was opened, and what is still to come', async ({
      page,
      merchant: { account },
      openDashboard,
    }) => {
      await openDashboard('/app/settings')
      const profile = page.getByRole('region', { name: 'Profile' })
      for (const value of [account.email, 'Business']) await expect(profile.getByText(value)).toBeVisible()
      await expect(page.getByText('settings coming soon ...', { exact: true })).toBeVisible()
      await look(page, `settings-${width}`)
    })
  })
}
