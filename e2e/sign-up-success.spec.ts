import { newEmail, password } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { checkEveryWidth, checkLayout } from './lib/check-page.ts'
import { button, expectToast, recordCalls, stored, title } from './lib/page.ts'
import { pdf } from './lib/pdf.ts'

test.use({ reducedMotion: 'no-preference' })

const documentType = (page: Page) => page.getByRole('combobox', { name: 'Identification document type' })

async function fill(page: Page, email: string): Promise<void> {
  await page.goto('/auth/signup')
  await page.getByLabel('Full name').fill('Tariro Moyo')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone number').fill('077 123 4567')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await documentType(page).selectOption('Tax ID')
}

/** The browser's events for a file that is dropped on an element. */
async function drop(page: Page, file: typeof pdf): Promise<void> {
  const data = await page.evaluateHandle(
    ({ name, mimeType, text }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], name, { type: mimeType }))
      return transfer
    },
    { ...file, text: file.buffer.toString() },
  )
  const zone = page.getByText('Click to upload or drag and drop')
  for (const type of ['dragenter', 'dragover', 'drop']) await zone.dispatchEvent(type, { dataTransfer: data })
}

test('[SIGNUP-01] [SIGNUP-02] [SIGNUP-03] [SIGNUP-04] the form has its fields', async ({ page }) => {
  await page.goto('/auth/signup')
  await expect(page.getByRole('radiogroup', { name: 'Account type' }).getByRole('radio')).toHaveCount(2)
  await expect(page.getByRole('radio', { name: 'Individual' })).not.toBeChecked()
  await expect(page.getByRole('radio', { name: 'Business' })).toBeChecked()
  for (const label of ['Full name', 'Email', 'Phone number', 'Password']) {
    await expect(page.getByLabel(label, { exact: true })).toBeEditable()
  }
  await expect(documentType(page)).toBeVisible()
  await checkEveryWidth(page, 'sign-up')
  await button(page, 'Create account').click()
  await expect(page.getByLabel('Full name')).toBeFocused()
  await checkEveryWidth(page, 'sign-up-errors')
})

test('[SIGNUP-05] [SIGNUP-22] [SIGNUP-23] [SIGNUP-24] [SIGNUP-28] [SIGNUP-29] [ERR-15] [CALLS-13] [CALLS-15] an account is created with a chosen file', async ({
  page,
}) => {
  const email = newEmail()
  const made = recordCalls(page)
  await fill(page, email)
  const chooser = page.waitForEvent('filechooser')
  await page.getByText('Click to upload or drag and drop').click()
  await (await chooser).setFiles(pdf)
  await expect(page.getByText(pdf.name)).toBeVisible()
  const uploaded = page.waitForResponse('**/v1/files/upload')
  await button(page, 'Create account').click()
  const { url } = (await (await uploaded).json()) as { url: string }
  await expectToast(page, 'Account created successfully!')
  const dialog = page.getByRole('dialog', { name: 'Account Created Successfully!' })
  await expect(dialog).toBeVisible()
  await checkEveryWidth(page, 'account-created')
  expect(made.names().filter((name) => name.startsWith('POST'))).toEqual([
    'POST /v1/files/upload',
    'POST /v1/auth/signup',
  ])
  expect(made.headers('POST /v1/files/upload')).toMatchObject({ 'x-api-key': expect.any(String) })
  expect(made.body('POST /v1/auth/signup')).toEqual({
    role: 'merchant',
    accountType: 'business',
    fullname: 'Tariro Moyo',
    email,
    password,
    phonenumber: '077 123 4567',
    identificationDocumentType: 'tax_id',
    identificationDocumentPdf: url,
  })
  expect(await stored(page, 'authToken')).toBeNull()
  const onward = dialog.getByRole('link', { name: 'Sign In Now' })
  await expect(onward).toBeFocused()
  await onward.click()
  await expect(page).toHaveURL('/auth/signin')
  await expect(title(page, 'Sign in')).toBeVisible()
})

test('[SIGNUP-06] [SIGNUP-25] [SIGNUP-26] [SIGNUP-27] a dropped file is accepted; thirty pieces of confetti fall for about 3 s', async ({
  page,
}) => {
  await fill(page, newEmail())
  await drop(page, pdf)
  await expect(page.getByText(pdf.name)).toBeVisible()
  await button(page, 'Create account').click()
  const pieces = page.getByTestId('confetti').locator('i')
  await expect(pieces).toHaveCount(30)
  const ends = await pieces.evaluateAll((all) =>
    all.map((piece) => Number(piece.getAnimations()[0]?.effect?.getComputedTiming().endTime)),
  )
  expect(Math.min(...ends)).toBeGreaterThan(2500)
  expect(Math.max(...ends)).toBeLessThan(3500)
  await checkLayout(page, 'confetti')
  for (const piece of await pieces.all()) await expect(piece).toBeHidden()
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click()
  await expect(page).toHaveURL('/')
})

test('reduced motion disables the confetti', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await fill(page, newEmail())
  await page.locator('input[type=file]').setInputFiles(pdf)
  await button(page, 'Create account').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByTestId('confetti')).toBeHidden()
})

test('the whole form is filled and sent by keyboard alone', async ({ page }) => {
  const email = newEmail()
  // Registered early, so that the browser expects the file chooser when the key is pressed.
  const chooser = page.waitForEvent('filechooser')
  await page.goto('/auth/signup')
  await page.getByRole('radio', { name: 'Business' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radio', { name: 'Individual' })).toBeChecked()
  for (const text of ['Tariro Moyo', email, '077 123 4567', password]) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Tab')
  await expect(button(page, 'Show or hide password')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(documentType(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(documentType(page)).not.toHaveValue('')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Identification document, a PDF smaller than 10 MB')).toBeFocused()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(pdf)
  await page.keyboard.press('Tab')
  await expect(button(page, 'Create account')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Account Created Successfully!' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/auth/signin')
})
