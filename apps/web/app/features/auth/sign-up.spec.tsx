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

test('[SIGNUP-10] [SIGNUP-11] [SIGNUP-13] [SIGNUP-15] [SIGNUP-17] [SIGNUP-18] [SIGNUP-21] Each missing field has an error until it is filled in, and the first one has the focus', async () => {
  const requests = stubFetch({})
  const { screen, field, type, file, submit } = await openPage()
  await submit.click()
  await expect.element(field('Full name')).toHaveFocus()
  await expect.element(type).toHaveAccessibleDescription('Please select a document type')
  await expect.element(file).toHaveAccessibleDescription('Please upload your identification document')
  for (const [label, error, typed] of [
    ['Full name', 'Full name is required', 'Tariro'],
    ['Email', 'Email is required', 'tariro@example.co.zw'],
    ['Phone number', 'Phone number is required', '077 123 4567'],
    ['Password', 'Password is required', 'a long sentence'],
  ] as const) {
    await expect.element(field(label)).toHaveAccessibleDescription(error)
    await field(label).fill(typed)
    await expect.element(screen.getByText(error)).not.toBeInTheDocument()
  }
  await type.selectOptions('Tax ID')
  await expect.element(screen.getByText('Please select a document type')).not.toBeInTheDocument()
  await file.upload(pdf)
  await expect.element(screen.getByText('Please upload your identification document')).not.toBeInTheDocument()
  expect(requests).toEqual([])
})

test('[SIGNUP-12] [SIGNUP-14] An invalid email and a short password have errors', async () => {
  const { field, submit } = await openPage()
  await field('Email').fill('tariro@example')
  await field('Password').fill('1234567')
  await submit.click()
  await expect.element(field('Email')).toHaveAccessibleDescription('Please enter a valid email')
  await expect
    .element(field('Password'))
    .toHaveAccessibleDescription(/Password must be at least 8 characters/)
})

test('[SIGNUP-02] [SIGNUP-07] [SIGNUP-08] [SIGNUP-09] Another account type has other documents, and clears the chosen one', async () => {
  const { screen, type } = await openPage()
  await expect.element(screen.getByRole('radio', { name: 'Business' })).toBeChecked()
  await expect.element(type).toHaveTextContent('Choose oneCertificate of IncorporationTax ID')
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
