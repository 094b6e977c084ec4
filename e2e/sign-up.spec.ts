import { newEmail, password } from '@muripo/rig/merchant'
import type { Page } from '@playwright/test'
import { expect, statusError, test } from './fixtures.ts'
import { checkLayout, checkPage } from './lib/check-page.ts'
import { expectToast } from './lib/page.ts'
import { pdf, pdfWithScript } from './lib/pdf.ts'

const documentType = (page: Page) => page.getByRole('combobox', { name: 'Identification document type' })
const file = (page: Page) => page.locator('input[type=file]')
const submit = (page: Page) => page.getByRole('button', { name: 'Create account' })

async function complete(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Tariro Moyo')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone number').fill('077 123 4567')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await documentType(page).selectOption('Tax ID')
  await file(page).setInputFiles(pdf)
}

test.beforeEach(({ page }) => page.goto('/auth/signup').then(() => undefined))

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
