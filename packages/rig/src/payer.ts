import { request } from 'node:http'

/** The fields of the form of the payer's page. A method may need no number. */
export interface Form {
  readonly method?: string
  readonly phone?: string
}

interface Connection {
  /** An address of this machine from which the form is sent. */
  readonly localAddress?: string
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 10_000

/** Submits the form of the payer's page like a browser without script. @returns the status */
export const submitForm = (
  paymentUrl: string,
  { method = 'ecocash', phone = '' }: Form,
  { localAddress, timeoutMs = TIMEOUT_MS }: Connection = {},
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { origin } = new URL(paymentUrl)
    const sent = request(
      paymentUrl,
      {
        method: 'POST',
        ...(localAddress && { localAddress }),
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(new URLSearchParams({ method, ...(phone && { phone }) }).toString())
  })

/** Submits a form that leads to the next page. @throws for any other response */
export async function pay(paymentUrl: string, form: Form): Promise<void> {
  const status = await submitForm(paymentUrl, form)
  if (status !== 303) throw new Error(`The hosted page answers ${status}`)
}

/** The text of a page that a payer opens. */
export const readPage = async (address: string): Promise<string> =>
  (await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })).text()
