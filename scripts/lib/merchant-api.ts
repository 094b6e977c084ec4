import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tokens } from '@muripo/contract/auth'
import { pdf } from '@muripo/testing/pdf'

export interface Account {
  readonly email: string
  readonly password: string
}

export async function signUp(url: string, email: string): Promise<Account> {
  const password = randomUUID()
  const { uploadKey } = (await (await fetch(`${url}/v1/config`)).json()) as { uploadKey: string }
  const form = new FormData()
  form.set('file', new File([new Uint8Array(pdf())], 'paper.pdf', { type: 'application/pdf' }))
  const document = await call<{ url: string }>(url, '/v1/files/upload', {
    form,
    headers: { 'x-api-key': uploadKey },
  })
  await call(url, '/v1/auth/signup', {
    body: {
      role: 'merchant',
      accountType: 'business',
      fullname: 'Bench',
      email,
      password,
      phonenumber: '+263771234567',
      identificationDocumentType: 'tax_id',
      identificationDocumentPdf: document.url,
    },
  })
  return { email, password }
}

/** @returns the token of the session */
export async function signIn(url: string, account: Account): Promise<string> {
  return (await finishSignIn(url, account, await startSignIn(url, account))).authToken
}

interface StartedSignIn {
  readonly otpId: string
  /** The number of codes that were mailed before. */
  readonly earlier: number
}

export async function startSignIn(url: string, { email, password }: Account): Promise<StartedSignIn> {
  const earlier = (await codesMailed(url, email)).length
  const { otpId } = await call<{ otpId: string }>(url, '/v1/auth/signin', { body: { email, password } })
  return { otpId, earlier }
}

export async function finishSignIn(
  url: string,
  { email }: Account,
  { otpId, earlier }: StartedSignIn,
): Promise<Tokens> {
  const otp = await nextCode(url, email, earlier)
  return call(url, `/v1/auth/verify-otp/${otpId}`, { body: { purpose: 'signin', otp } })
}

/** @returns its id and key */
export function makeApplication(
  url: string,
  token: string,
  applicationName: string,
): Promise<{ _id: string; applicationKey: string }> {
  return call(url, '/v1/applications/create', {
    token,
    body: { applicationName, description: 'Sells things', category: 'Retail' },
  })
}

async function nextCode(url: string, email: string, earlier: number): Promise<string> {
  const giveUpAt = performance.now() + 10_000
  while (performance.now() < giveUpAt) {
    const codes = await codesMailed(url, email)
    if (codes.length > earlier) return codes[0] ?? ''
    await sleep(50)
  }
  throw new Error('the mail with the sign-in code did not come')
}

/** The newest first. */
async function codesMailed(url: string, email: string): Promise<string[]> {
  const mails = (await (
    await fetch(`${url}/dev/mailbox/messages?to=${encodeURIComponent(email)}`)
  ).json()) as {
    text: string
  }[]
  return mails.flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? [])
}

export async function call<Reply>(
  url: string,
  at: string,
  request: { token?: string; body?: object; form?: FormData; headers?: Record<string, string> },
): Promise<Reply> {
  const response = await fetch(url + at, {
    method: 'POST',
    headers: {
      ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
      ...(request.body ? { 'content-type': 'application/json' } : {}),
      ...request.headers,
    },
    body: request.form ?? JSON.stringify(request.body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${at} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Reply
}
