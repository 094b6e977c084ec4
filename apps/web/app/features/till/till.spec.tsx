import { ApplicationId, PaymentId, transactionOf } from '@muripo/contract/ids'
import type { Till, TillPaymentDetails } from '@muripo/contract/till'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderComponent } from '../../../test/render-component.tsx'
import TillPage from './till.tsx'

const at = '2026-11-20T09:30:00.000Z'
const paymentId = PaymentId.parse(`pay_${'0'.repeat(26)}`)
const applicationId = ApplicationId.parse(`app_${'0'.repeat(26)}`)
const till: Till = {
  applications: [{ id: applicationId, name: 'Shop counter' }],
  currencies: [
    { currency: 'USD', methods: ['ecocash'] },
    { currency: 'ZWG', methods: ['ecocash'] },
  ],
  today: { totals: [], payments: [] },
}
const payment: TillPaymentDetails = {
  _id: transactionOf(paymentId),
  paymentId,
  applicationId,
  amount: 25,
  currency: 'USD',
  method: 'ecocash',
  status: 'COMPLETED',
  statusReason: null,
  createdAt: at,
  completedAt: at,
  lastDigits: '4567',
  paymentUrl: 'https://pay.example/pay/token',
  paymentQr: null,
  attempts: 1,
  isCancelled: false,
  openAttempt: null,
}

afterEach(() => vi.unstubAllGlobals())

type Answer = () => Response

/** Answers the charges one after the other; returns their keys and bodies. */
function stubCharges(answers: readonly Answer[]) {
  const charges: { key: string | null; body: object }[] = []
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    if (address === '/v1/till/charge') {
      charges.push({ key: new Headers(headers).get('idempotency-key'), body: JSON.parse(String(body)) })
      return (answers[charges.length - 1] as Answer)()
    }
    if (address === '/v1/till') return Response.json(till)
    if (method === 'GET' && address === `/v1/till/payments/${paymentId}`) return Response.json(payment)
    return Response.json({ code: 'not_found' }, { status: 404 })
  })
  return charges
}

const paid: Answer = () => Response.json(payment, { status: 201 })
const lost: Answer = () => {
  throw new TypeError('Failed to fetch')
}
const refused: Answer = () =>
  Response.json(
    {
      code: 'validation_failed',
      message: 'phone is wrong',
      errors: [{ field: 'phone', message: 'Please enter an EcoCash number (077 or 078)' }],
    },
    { status: 422 },
  )

async function enter(): Promise<void> {
  for (const key of ['2', '5']) await page.getByRole('button', { name: key, exact: true }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.element(page.getByRole('heading', { name: 'Customer’s number' })).toBeInTheDocument()
  await userEvent.keyboard('0771234567')
}

const ask = page.getByRole('button', { name: 'Ask for USD 25.00' })

test('a charge without an answer is repeated under its key', async () => {
  const charges = stubCharges([lost, lost, paid])
  await renderComponent(<TillPage />)
  await enter()
  await ask.click()
  await expect.element(page.getByRole('heading', { name: 'Paid' })).toBeInTheDocument()
  expect(charges).toHaveLength(3)
  expect(new Set(charges.map(({ key }) => key)).size).toBe(1)
  expect(charges[0]).toMatchObject({
    body: { applicationId, amount: 25, currency: 'USD', phone: '0771234567' },
  })
})

test('a charge that was answered is followed by one with another key, also for the same number and amount', async () => {
  const charges = stubCharges([refused, paid, paid])
  await renderComponent(<TillPage />)
  await enter()
  await ask.click()
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Please enter an EcoCash number (077 or 078)')
  await ask.click()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect.element(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await enter()
  await ask.click()
  await expect.element(page.getByRole('heading', { name: 'Paid' })).toBeInTheDocument()
  expect(charges).toHaveLength(3)
  expect(new Set(charges.map(({ key }) => key)).size).toBe(3)
})

test('a number is asked for once it is whole, with an amount that is not zero', async () => {
  const charges = stubCharges([])
  await renderComponent(<TillPage />)
  await expect.element(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await userEvent.keyboard('0.00{Enter}')
  await expect.element(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}25{Enter}')
  await expect.element(ask).toBeDisabled()
  await userEvent.keyboard('0731234{Enter}')
  await expect.element(page.getByText('No wallet')).toBeVisible()
  await expect.element(ask).toBeDisabled()
  expect(charges).toEqual([])
})
