import { newEmail, password } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkLayout, checkPage } from './lib/check-page.ts'
import { expectToast } from './lib/page.ts'
import { pdf, pdfWithScript } from './lib/pdf.ts'

const documentType = (page: Page) => page.getByRole('combobox', { name: 'Identification document type' })
const file = (page: Page) => page.locator('input[type=file]')
const submit = (page: Page) => page.getByRole('button', { name: 'Create account' })

const choices = (page: Page): Promise<string[]> =>
  documentType(page).locator('option:enabled').allTextContents()

async function complete(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Tariro Moyo')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone number').fill('077 123 4567')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await documentType(page).selectOption('Tax ID')
  await file(page).setInputFiles(pdf)
}

test.beforeEach(({ page }) => page.goto('/auth/signup').then(() => undefined))

test('[SIGNUP-10] [SIGNUP-11] [SIGNUP-13] [SIGNUP-15] [SIGNUP-17] [SIGNUP-18] [SIGNUP-21] an empty form shows an error for each field', async ({
  page,
}) => {
  await submit(page).click()
  for (const [label, missing, typed] of [
    ['Full name', 'Full name is required', 'Tariro'],
    ['Email', 'Email is required', 'tariro@example.co.zw'],
    ['Password', 'Password is required', password],
    ['Phone number', 'Phone number is required', '077 123 4567'],
  ] as const) {
    const field = page.getByLabel(label, { exact: true })
    await expect(field).toHaveAccessibleDescription(new RegExp(missing))
    await field.fill(typed)
    await expect(page.getByText(missing)).toBeHidden()
  }
  await expect(page.getByText('Please select a document type')).toBeVisible()
  await expect(page.getByText('Please upload your identification document')).toBeVisible()
  await checkPage(page, 'sign-up-errors')
  await documentType(page).selectOption('Tax ID')
  await expect(page.getByText('Please select a document type')).toBeHidden()
  await file(page).setInputFiles(pdf)
  await expect(page.getByText('Please upload your identification document')).toBeHidden()
})

test('[SIGNUP-12] [SIGNUP-14] an invalid email and an invalid password have errors', async ({ page }) => {
  await page.getByLabel('Email').fill('tariro@example')
  await page.getByLabel('Password', { exact: true }).fill('1234567')
  await submit(page).click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email')
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
})

test('[SIGNUP-19] [SIGNUP-20] [R-03] only a PDF below 10485760 bytes is accepted', async ({ page }) => {
  await file(page).setInputFiles({ name: 'id.png', mimeType: 'image/png', buffer: Buffer.from('png') })
  await expect(page.getByText('Only PDF files are allowed')).toBeVisible()
  await file(page).setInputFiles({ ...pdf, buffer: Buffer.alloc(10_485_760, pdf.buffer) })
  await expect(page.getByText('File size must be less than 10MB')).toBeVisible()
  await file(page).setInputFiles({ ...pdf, buffer: Buffer.alloc(10_485_759, pdf.buffer) })
  await expect(page.getByText('File size must be less than 10MB')).toBeHidden()
})

test('[R-20] a refused PDF shows an error beside its field, and another one is accepted', async ({
  page,
  consoleErrors,
}) => {
  const sentence =
    'This PDF contains scripts, attached files or other active parts. Please print it to a new PDF and upload that'
  await complete(page, newEmail())
  await file(page).setInputFiles(pdfWithScript)
  await submit(page).click()
  await expectToast(page, 'File upload failed')
  await expect(file(page)).toHaveAccessibleDescription(sentence)
  await expect(file(page)).toBeFocused()
  await expect(page.getByLabel('Full name')).toHaveValue('Tariro Moyo')
  await checkPage(page, 'sign-up-refused-document')
  await page.setViewportSize({ width: 375, height: 740 })
  await checkLayout(page, 'sign-up-refused-document-375')
  await consoleErrors.expect(statusError(422))
  await file(page).setInputFiles(pdf)
  await expect(page.getByText(sentence)).toBeHidden()
  await submit(page).click()
  await expect(page.getByRole('dialog', { name: 'Account Created Successfully!' })).toBeVisible()
})

test('[SIGNUP-02] [SIGNUP-07] [SIGNUP-08] [SIGNUP-09] the account type determines the accepted documents', async ({
  page,
}) => {
  await expect(page.getByRole('radio', { name: 'Business' })).toBeChecked()
  expect(await choices(page)).toEqual(['Certificate of Incorporation', 'Tax ID'])
  await documentType(page).selectOption('Tax ID')
  await page.getByRole('radio', { name: 'Individual' }).click()
  await expect(documentType(page)).toHaveValue('')
  expect(await choices(page)).toEqual(['Passport', 'National ID', 'Driver License'])
})

test('[SIGNUP-27] [SIGNUP-29] signing up does not sign in; the same email twice is refused', async ({
  page,
  consoleErrors,
}) => {
  const email = newEmail()
  await complete(page, email)
  await submit(page).click()
  const dialog = page.getByRole('dialog', { name: 'Account Created Successfully!' })
  await expect(dialog).toBeVisible()
  await checkPage(page, 'account-created')
  await dialog.getByRole('link', { name: 'Close' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()

  await page.goto('/auth/signup')
  await complete(page, email)
  await submit(page).click()
  await expectToast(page, 'An account with this email already exists')
  await expect(page.getByLabel('Full name')).toHaveValue('Tariro Moyo')
  await consoleErrors.expect(statusError(409))
})

test('[ERR-11] without a network signing up shows the error and keeps the typed values', async ({
  page,
  context,
  consoleErrors,
}) => {
  await complete(page, newEmail())
  await context.setOffline(true)
  await submit(page).click()
  await expectToast(page, 'Network error. Please try again.')
  await expect(page.getByLabel('Full name')).toHaveValue('Tariro Moyo')
  await consoleErrors.expect(/ERR_INTERNET_DISCONNECTED/)
})

test('a slow upload shows its progress, and can be cancelled and sent again', async ({ page, context }) => {
  await complete(page, newEmail())
  await file(page).setInputFiles({ ...pdf, buffer: Buffer.concat([pdf.buffer, Buffer.alloc(9_000_000)]) })
  const network = await context.newCDPSession(page)
  const limitUpload = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await limitUpload(400_000)
  await submit(page).click()
  const progress = page.getByRole('progressbar', { name: 'Upload of the document' })
  const sent = async () => Number(await progress.getAttribute('value'))
  await expect.poll(sent).toBeGreaterThan(0.05)
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await checkPage(page, `sign-up-progress-${width}`)
  }
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(progress).toBeHidden()
  await expect(page.locator('.toast')).toHaveCount(0)
  await expect(page.getByLabel('Full name')).toHaveValue('Tariro Moyo')
  await limitUpload(-1)
  await file(page).setInputFiles(pdf)
  await submit(page).click()
  await expect(page.getByRole('dialog', { name: 'Account Created Successfully!' })).toBeVisible()
})
