import { beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { toastStore } from '../../components/toast.ts'
import VerifyOtp from './verify-otp.tsx'

const CALL = 'POST /v1/auth/verify-otp/otp_1'
const withCode = { params: { otpId: 'otp_1' } } as Parameters<typeof VerifyOtp>[0]
const requestOf = (otp: string) => ({ call: CALL, body: { purpose: 'signin', otp } })

beforeEach(() => toastStore.clear())

async function openPage() {
  const screen = await renderComponent(<VerifyOtp {...withCode} />)
  const boxes = screen.getByRole('textbox', { name: /^One-time code/ })
  ;(boxes.first().element() as HTMLElement).focus()
  return {
    screen,
    boxes,
    typed: () => boxes.elements().map((box) => (box as HTMLInputElement).value),
    verify: screen.getByRole('button', { name: 'Verify code' }),
  }
}

test('The sixth digit submits the code, and a refused code makes room for the next', async () => {
  const refused = { status: 400, body: { code: 'otp_invalid', message: 'The code is not correct' } }
  const requests = stubFetch({ [CALL]: refused })
  const { screen, boxes, typed } = await openPage()
  await userEvent.keyboard('12345')
  expect(requests).toEqual([])
  await userEvent.keyboard('6')
  await expect.poll(() => requests).toEqual([requestOf('123456')])
  await expect.element(screen.getByText('The code is not correct')).toBeVisible()
  expect(typed().join('')).toBe('')
  await expect.element(boxes.first()).toHaveFocus()
  // A browser fills the code of a message into the first box.
  await boxes.first().fill('123456')
  await expect.poll(() => requests).toEqual([requestOf('123456'), requestOf('123456')])
})

test('Without a network the code stays, and a changed digit or the button submits it again', async () => {
  const requests = stubFetch({})
  const { screen, typed, verify } = await openPage()
  await userEvent.keyboard('123456')
  await expect
    .element(screen.getByText('Network error. Please check your connection and try again.'))
    .toBeVisible()
  expect(typed().join('')).toBe('123456')
  await userEvent.keyboard('{Backspace}7')
  await expect.poll(() => requests).toEqual([requestOf('123456'), requestOf('123457')])
  await verify.click()
  await expect.poll(() => requests).toHaveLength(3)
})

test('The button pressed after the sixth digit submits the code once', async () => {
  const { promise, resolve } = Promise.withResolvers<{ status: number; body: unknown }>()
  const requests = stubFetch({ [CALL]: promise })
  const { screen, verify } = await openPage()
  await userEvent.keyboard('123456')
  await verify.click()
  await expect.element(verify).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Enter}')
  resolve({ status: 400, body: { code: 'otp_invalid', message: 'The code is not correct' } })
  await expect.element(screen.getByText('The code is not correct')).toBeVisible()
  expect(requests).toEqual([requestOf('123456')])
})
