import type { MuripoEvent } from './generated/types.ts'

/** The request is not from your gateway, or not recent. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

type Headers =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null }

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/**
 * The event that was posted to your server, once it is certain that your gateway sent it, less than five minutes ago.
 * @param body the body as it came, to the byte: before anything has parsed it
 * @param headers those of the request, as Node or as the web has them
 * @param secret what the endpoint was made with, or an array while you change over
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  secret: string | readonly string[],
  now: Date = new Date(),
): Promise<MuripoEvent> {
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => bytesOf(each.slice('v1,'.length)))
  const age = now.getTime() / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > TOLERANCE_SECONDS)
    throw refused('it is too old, or from the future')

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(each)
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return JSON.parse(text)
    }
  }
  throw refused('no signature matches')
}

function header(headers: Headers, name: string): string {
  const value =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
  if (typeof value !== 'string' || value === '') throw refused(`the header ${name} is missing`)
  return value
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (bytes === null || bytes.length === 0) throw new TypeError('A webhook secret begins with whsec_')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

const refused = (why: string) => new WebhookVerificationError(`This webhook is not from your gateway: ${why}`)
