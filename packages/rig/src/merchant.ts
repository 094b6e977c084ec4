import { randomUUID } from 'node:crypto'
import type { Tokens } from '@muripo/contract/auth'
import { pdf } from '@muripo/testing/pdf'
import { callOk } from './call.ts'
import { allMails, codesIn, mailbox } from './mailbox.ts'
import { until } from './until.ts'

export type { Tokens }

export interface Account {
  readonly email: string
  readonly password: string
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
export async function signUp(url: string, email = newEmail()): Promise<Account> {
  const { uploadKey } = await callOk<{ uploadKey: string }>('GET', `${url}/v1/config`)
  const form = new FormData()
  form.append('file', new File([new Uint8Array(pdf())], 'certificate.pdf', { type: 'application/pdf' }))
  const document = await callOk<{ url: string }>('POST', `${url}/v1/files/upload`, {
    body: form,
    headers: { 'x-api-key': uploadKey },
  })
  const account = { email, password }
  await callOk('POST', `${url}/v1/auth/signup`, {
    body: {
      ...account,
      role: 'merchant',
      accountType: 'business',
      fullname: 'Tariro Moyo',
      phonenumber: '077 123 4567',
      identificationDocumentType: 'certificate_of_incorporation',
      identificationDocumentPdf: document.url,
    },
  })
  return account
}

export interface StartedSignIn {
  readonly otpId: string
  /** The code that this sign-in mailed. */
  readonly code: Promise<string>
}

/** @param codeFor reads the code where the gateway has no mailbox of its own */
export async function startSignIn(
  url: string,
  { email, password }: Account,
  codeFor?: (email: string) => Promise<string>,
): Promise<StartedSignIn> {
  const codes = async () => codesIn(await allMails(url, email))
  const earlier = codeFor ? 0 : (await codes()).length
  const body = { email, password }
  const { otpId } = await callOk<{ otpId: string }>('POST', `${url}/v1/auth/signin`, { body })
  const mailed = () =>
    until(`A code for ${email}`, async () => {
      const all = await codes()
      return all.length > earlier ? all[0] : undefined
    })
  return { otpId, code: codeFor ? codeFor(email) : mailed() }
}

export async function signIn(
  url: string,
  account: Account,
  codeFor?: (email: string) => Promise<string>,
): Promise<Tokens> {
  const { otpId, code } = await startSignIn(url, account, codeFor)
  return finishSignIn(url, otpId, await code)
}

export const finishSignIn = (url: string, otpId: string, otp: string): Promise<Tokens> =>
  callOk('POST', `${url}/v1/auth/verify-otp/${otpId}`, { body: { purpose: 'signin', otp } })

/** The newest code that was mailed to an address. */
export async function mailedCode(url: string, email: string): Promise<string> {
  const mails = await mailbox(url, email)
  const [code] = codesIn(mails)
  if (code === undefined) throw new Error(`No code in the mail: ${mails[0]?.text}`)
  return code
}

export const createApplication = (
  url: string,
  { authToken }: Pick<Tokens, 'authToken'>,
  application: { applicationName?: string; category?: string } = {},
): Promise<Application> =>
  callOk('POST', `${url}/v1/applications/create`, {
    bearer: authToken,
    body: { applicationName: 'Chiedza Crafts', description: 'Baskets', category: 'Retail', ...application },
  })

/** A merchant who has signed up and in, and has an application. */
export async function openShop(
  url: string,
  email?: string,
): Promise<{ account: Account; tokens: Tokens; application: Application }> {
  const account = await signUp(url, email)
  const tokens = await signIn(url, account)
  return { account, tokens, application: await createApplication(url, tokens) }
}

export const basket = { amount: 25, currency: 'USD', description: 'Woven basket' }

export const createPayment = (
  url: string,
  key: string,
  payment: Readonly<Record<string, unknown>> = {},
): Promise<Payment> =>
  callOk('POST', `${url}/api/v1/payments`, { bearer: key, body: { ...basket, ...payment } })

export const cancelPayment = (url: string, key: string, id: string): Promise<Payment> =>
  callOk('POST', `${url}/api/v1/payments/${id}/cancel`, { bearer: key })

export const findPayment = (url: string, key: string, id: string): Promise<Payment> =>
  callOk('GET', `${url}/api/v1/payments/${id}`, { bearer: key })
