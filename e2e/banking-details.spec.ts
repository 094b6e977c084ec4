import { expect, type Gateway, test } from './fixtures.ts'
import { BANKING, dialogNamed, fact, OFFLINE, pageOf, tab } from './lib/applications.ts'
import { checkWidths } from './lib/check-page.ts'
import { runShell } from './lib/commands.ts'
import { button, expectToast, holdRequests } from './lib/page.ts'

/** A command of this gateway's operator. */
const admin = (gateway: Gateway, words: string) =>
  runShell(`npm run --silent admin -- ${words}`, { MURIPO_DATA: gateway.dataDir, HOME: gateway.dataDir })

test('[MANAGE-12] [MANAGE-13] [MANAGE-15] banking details are entered, reported by email, and approved by an operator', async ({
  page,
  context,
  gateway,
  merchant,
  seller: { application },
  openDashboard,
  consoleErrors,
}) => {
  const dialog = dialogNamed(page, 'Update Banking Details')
  const save = dialog.getByRole('button', { name: 'Save Details' })
  const field = (name: string) => dialog.getByLabel(name, { exact: true })
  const mails = async () => (await gateway.mailbox(merchant.account.email)).map(({ subject }) => subject)

  await openDashboard(pageOf(application._id))
  await tab(page, BANKING).click()
  await button(page, 'Update Banking Details').focus()
  await page.keyboard.press('Enter')
  await expect(field('Bank Name')).toBeFocused()
  await checkWidths(page, 'banking-form')
  await field('Bank Account Number').fill('12/34')
  await save.click()
  await expect(field('Bank Name')).toBeFocused()
  for (const [name, sentence] of [
    ['Bank Name', 'Bank is required'],
    ['Bank Account Number', 'Bank account number must be 5 to 34 digits or letters'],
    ['Bank Account Name', 'Bank account name is required As the bank writes it'],
    ['Bank Account Type', 'Please select a bank account type'],
  ] as const) {
    await expect(field(name)).toHaveAccessibleDescription(sentence)
  }
  await checkWidths(page, 'banking-form-errors')
  await field('Bank Name').fill(' CBZ  Bank ')
  await expect(page.getByText('Bank is required')).toBeHidden()
  await field('Bank Account Number').fill('0123 4567-8910')
  await field('Bank Account Name').fill('Chiedza Crafts (Pvt) Ltd')
  await field('Bank Account Type').selectOption('Current')

  await context.setOffline(true)
  await save.click()
  await expectToast(page, OFFLINE)
  await expect(field('Bank Account Number')).toHaveValue('0123 4567-8910')
  await context.setOffline(false)
  const release = await holdRequests(page, '**/banking')
  await save.click()
  await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await release()
  await expectToast(page, 'Banking details updated')
  await expect(dialog).toBeHidden()
  await expect(button(page, 'Update Banking Details')).toBeFocused()
  for (const [name, value] of [
    ['Bank Name', 'CBZ Bank'],
    ['Bank Account Number', '012345678910'],
    ['Bank Account Name', 'Chiedza Crafts (Pvt) Ltd'],
    ['Bank Account Type', 'Current'],
    ['Name Approval Status', 'Pending Approval'],
  ] as const) {
    await expect(fact(page, name)).toHaveText(value)
  }
  await checkWidths(page, 'manage-banking')
  await expect.poll(mails).toContain('Your Muripo banking details were changed')

  expect(await admin(gateway, 'banking list')).toContain(`banking approve ${application._id} 1`)
  await admin(gateway, `banking reject ${application._id} 1 --reason "The name is another."`)
  await page.reload()
  await tab(page, BANKING).click()
  await expect(page.getByText(/We could not approve these details: The name is another\./)).toBeVisible()
  await expect(fact(page, 'Name Approval Status')).toHaveText('Pending Approval')
  await checkWidths(page, 'manage-banking-rejected')

  await admin(gateway, `banking approve ${application._id} 1 --as Rudo`)
  await page.reload()
  await tab(page, BANKING).click()
  await expect(fact(page, 'Name Approval Status')).toHaveText('Approved')
  await button(page, 'Update Banking Details').click()
  await expect(field('Bank Account Number')).toHaveValue('012345678910')
  await save.click()
  await expectToast(page, 'These details were saved already')
  await expect(fact(page, 'Name Approval Status')).toHaveText('Approved')
  await button(page, 'Update Banking Details').click()
  await field('Bank Account Name').fill('Somebody Else')
  await save.click()
  await expect(fact(page, 'Name Approval Status')).toHaveText('Pending Approval')
  await expect.poll(async () => (await mails()).filter((subject) => /banking/.test(subject))).toHaveLength(4)
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
})
