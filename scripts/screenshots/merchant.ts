import { setTimeout as sleep } from 'node:timers/promises'
import { merchant } from '../demo/shops.ts'

export interface Tokens {
  readonly authToken: string
  readonly refreshToken: string
}

interface Mail {
  readonly text: string
}

const { email, password } = merchant
const timeoutMs = 20_000

/** Data of the sample merchant, created through the API. */
export function merchantAt(url: string) {
  return {
    startSignIn: () => post<{ otpId: string }>(`${url}/v1/auth/signin`, { email, password }),
    forgotPassword: () => post<{ otpId: string }>(`${url}/v1/auth/password/forgot`, { email }),
    finishSignIn: async (otpId: string): Promise<Tokens> =>
      post(`${url}/v1/auth/verify-otp/${otpId}`, { purpose: 'signin', otp: await mailedCode(url) }),
    async newestApplication({ authToken }: Tokens): Promise<string> {
      const { applications } = await read<{ applications: { _id: string }[] }>(
        await fetch(`${url}/v1/applications/all`, { headers: { authorization: `Bearer ${authToken}` } }),
      )
      const [newest] = applications
      if (!newest) throw new Error('The sample merchant has no application')
      return newest._id
    },
  }
}

async function mailedCode(url: string): Promise<string> {
  const giveUpAt = performance.now() + timeoutMs
  while (performance.now() < giveUpAt) {
    const mails = await read<Mail[]>(
      await fetch(`${url}/dev/mailbox/messages?to=${encodeURIComponent(email)}`),
    )
    const code = mails.map(({ text }) => text.match(/\b\d{6}\b/)?.[0]).find(Boolean)
    if (code) return code
    await sleep(100)
  }
  throw new Error('The mail with the sign-in code did not arrive')
}

const post = async <T>(url: string, body: unknown): Promise<T> =>
  read(
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

async function read<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}
