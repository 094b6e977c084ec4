import { randomUUID } from 'node:crypto'
import { callOk } from './call.ts'
import { codesIn, mailbox } from './mailbox.ts'
import { pdf } from './pdf.ts'

export interface Account {
  readonly email: string
  readonly password: string
}

export interface Tokens {
  readonly authToken: string
  readonly refreshToken: string
}

export interface Application {
  readonly _id: string
  readonly applicationName: string
  readonly applicationKey: string
  readonly testKey: string | null
}

export interface Payment {
  readonly id: string
  readonly status: string
  readonly payment_url: string
}

export const password = 'a long sentence'

export const newEmail = (): string => `tariro-${randomUUID()}@example.co.zw`

/** Opens an account the way the form does: the document first, then the account that names it. */
export async function signUp(gatewayUrl: string): Promise<Account> {
  const { uploadKey } = await callOk<{ uploadKey: string }>('GET', `${gatewayUrl}/v1/config`)
  const form = new FormData()
  form.append('file', new Blob([pdf.buffer], { type: pdf.mimeType }), pdf.name)
  const uploaded = await fetch(`${gatewayUrl}/v1/files/upload`, {
    method: 'POST',
    headers: { 'x-api-key': uploadKey },
    body: form,
  })
  const { url } = (await uploaded.json()) as { url: string }
  const account = { email: newEmail(), password }
  await callOk('POST', `${gatewayUrl}/v1/auth/signup`, {
    body: {
      ...account,
      role: 'merchant',
      accountType: 'business',
      fullname: 'Tariro Moyo',
      phonenumber: '077 123 4567',
      identificationDocumentType: 'certificate_of_incorporation',
      identificationDocumentPdf: url,
    },
  })
  return account
}

export async function signIn(
  gatewayUrl: string,
  account: Account,
  codeFor = (email: string) => mailedCode(gatewayUrl, email),
): Promise<Tokens> {
  const { otpId } = await callOk<{ otpId: string }>('POST', `${gatewayUrl}/v1/auth/signin`, { body: account })
  const otp = await codeFor(account.email)
  return callOk('POST', `${gatewayUrl}/v1/auth/verify-otp/${otpId}`, { body: { purpose: 'signin', otp } })
}

/** The newest code that was mailed to an address. */
export async function mailedCode(gatewayUrl: string, email: string): Promise<string> {
  const mails = await mailbox(gatewayUrl, email)
  const [code] = codesIn(mails)
  if (code === undefined) throw new Error(`No code in the mail: ${mails[0]?.text}`)
  return code
}

export const createApplication = (
  gatewayUrl: string,
  { authToken }: Tokens,
  application: { applicationName?: string; category?: string } = {},
): Promise<Application> =>
  callOk('POST', `${gatewayUrl}/v1/applications/create`, {
    bearer: authToken,
    body: { applicationName: 'Chiedza Crafts', description: 'Baskets', category: 'Retail', ...application },
  })

export const basket = { amount: 25, currency: 'USD', description: 'Woven basket' }

export const createPayment = (
  gatewayUrl: string,
  key: string,
  payment: Readonly<Record<string, unknown>> = {},
): Promise<Payment> =>
  callOk('POST', `${gatewayUrl}/api/v1/payments`, { bearer: key, body: { ...basket, ...payment } })

export const cancelPayment = (gatewayUrl: string, key: string, id: string): Promise<Payment> =>
  callOk('POST', `${gatewayUrl}/api/v1/payments/${id}/cancel`, { bearer: key })

export const findPayment = (gatewayUrl: string, key: string, id: string): Promise<Payment> =>
  callOk('GET', `${gatewayUrl}/api/v1/payments/${id}`, { bearer: key })
