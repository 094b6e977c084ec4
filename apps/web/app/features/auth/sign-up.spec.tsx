import { expect, test, vi } from 'vitest'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import SignUp from './sign-up.tsx'

const transport = vi.hoisted(() => ({
  send: (address: string, init: RequestInit, _onProgress: (sent: number) => void) => fetch(address, init),
}))
vi.mock('../../lib/upload.ts', () => ({
  withProgress: (onProgress: (sent: number) => void) => (address: string, init: RequestInit) =>
    transport.send(address, init, onProgress),
}))

const pdf = new File(['%PDF-1.7'], 'id.pdf', { type: 'application/pdf' })

async function openPage() {
  const screen = await renderComponent(<SignUp />)
  return {
    screen,
    field: (label: string) => screen.getByLabelText(label, { exact: true }),
    type: screen.getByRole('combobox', { name: 'Identification document type' }),
    file: screen.getByLabelText('Identification document, a PDF smaller than 10 MB'),
    submit: screen.getByRole('button', { name: 'Create account' }),
  }
}

async function fill({ field, type, file }: Awaited<ReturnType<typeof openPage>>) {
  await field('Full name').fill('Tariro Moyo')
  await field('Email').fill('tariro@example.co.zw')
  await field('Phone number').fill('077 123 4567')
  await field('Password').fill('a long sentence')
  await type.selectOptions('Tax ID')
  await file.upload(pdf)
}

test('Each missing field has an error, and the first one has the focus', async () => {
  const requests = stubFetch({})
  const { screen, field, type, file, submit } = await openPage()
  await submit.click()
  await expect.element(field('Full name')).toHaveFocus()
  for (const [label, error] of [
    ['Full name', 'Full name is required'],
    ['Email', 'Email is required'],
    ['Phone number', 'Phone number is required'],
    ['Password', 'Password is required'],
  ] as const)
    await expect.element(field(label)).toHaveAccessibleDescription(error)
  await expect.element(type).toHaveAccessibleDescription('Please select a document type')
  await expect.element(file).toHaveAccessibleDescription('Please upload your identification document')
  await field('Email').fill('tariro@example.co.zw')
  await expect.element(screen.getByText('Email is required')).not.toBeInTheDocument()
  expect(requests).toEqual([])
})

test('Another account type has other documents, and clears the chosen one', async () => {
  const { screen, type } = await openPage()
  await type.selectOptions('Tax ID')
  await screen.getByRole('radio', { name: 'Individual' }).click()
  await expect.element(type).toHaveValue('')
  await expect.element(type).toHaveTextContent('Choose onePassportNational IDDriver License')
})

test('A file of another kind is refused at once, and a PDF clears the error', async () => {
  const { file } = await openPage()
  await file.upload(new File(['png'], 'id.png', { type: 'image/png' }))
  await expect.element(file).toHaveAccessibleDescription('Only PDF files are allowed')
  await file.upload(pdf)
  await expect.element(file).not.toHaveAttribute('aria-describedby')
})

test('A refused document has the error and the focus, and the other fields stay', async () => {
  const message = 'This PDF contains scripts'
  const requests = stubFetch({
    'GET /v1/config': { body: { uploadKey: 'key' } },
    'POST /v1/files/upload': { status: 422, body: { message } },
  })
  const page = await openPage()
  await fill(page)
  await page.submit.click()
  await expect.element(page.file).toHaveAccessibleDescription(message)
  await expect.element(page.file).toHaveFocus()
  await expect.element(page.field('Full name')).toHaveValue('Tariro Moyo')
  expect(requests.map(({ call }) => call)).toEqual(['GET /v1/config', 'POST /v1/files/upload'])
})

test('[SIGNUP-24] A new account opens the dialog with the way to sign in, also after an empty response', async () => {
  stubFetch({
    'GET /v1/config': { body: { uploadKey: 'key' } },
    'POST /v1/files/upload': { body: { url: '/files/1' } },
    'POST /v1/auth/signup': { status: 201, body: undefined },
  })
  const page = await openPage()
  await fill(page)
  await page.submit.click()
  const dialog = page.screen.getByRole('dialog', { name: 'Account Created Successfully!' })
  await expect.element(dialog.getByRole('link', { name: 'Sign In Now' })).toHaveFocus()
})

test('An upload shows its progress, and can be cancelled and sent again', async () => {
  stubFetch({
    'GET /v1/config': { body: { uploadKey: 'key' } },
    'POST /v1/files/upload': { body: { url: '/files/1' } },
    'POST /v1/auth/signup': { status: 201, body: {} },
  })
  const { send } = transport
  transport.send = (_address, { signal }, onProgress) => {
    onProgress(0.425)
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const page = await openPage()
  await fill(page)
  await page.submit.click()
  const progress = page.screen.getByRole('progressbar', { name: 'Upload of the document' })
  await expect.element(progress).toHaveAttribute('value', '0.425')
  await expect.element(page.screen.getByText('42 %')).toBeVisible()
  await page.screen.getByRole('button', { name: 'Cancel upload' }).click()
  await expect.element(progress).not.toBeInTheDocument()
  await expect.element(page.screen.getByRole('alert')).not.toBeInTheDocument()
  await expect.element(page.field('Full name')).toHaveValue('Tariro Moyo')
  transport.send = send
  await page.submit.click()
  await expect.element(page.screen.getByRole('dialog')).toBeVisible()
})
