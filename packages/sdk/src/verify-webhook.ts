import { kindOf } from './check.ts'
import type { MuripoEvent } from './generated/types.ts'
import { headerOf, type WebhookHeaders, WebhookVerificationError } from './webhook-headers.ts'

/** The body as it was received: a text, or bytes. */
export type WebhookBody = string | Uint8Array | ArrayBuffer

type Secret = string | undefined

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/**
 * Verifies the signature of a request to your endpoint, and that your gateway signed it in the last five minutes.
 * @param body the raw body, byte for byte: a parsed body is a TypeError
 * @param headers the headers of the request, as your framework returns them
 * @param secret the signing secret of the endpoint, or both secrets while you replace one. The types permit undefined, so that you can
 * pass environment variables; without any secret the call is a TypeError
 * @returns the event
 * @throws WebhookVerificationError for a request that your gateway did not sign: answer it with 400
 */
export async function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders | PromiseLike<WebhookHeaders>,
  secret: Secret | readonly Secret[],
  now: Date = new Date(),
): Promise<MuripoEvent> {
  const keys = await Promise.all(checkSecrets(secret).map(keyOf))
  const bytes = checkBody(body)
  if (!(now instanceof Date) || Number.isNaN(now.getTime())) throw new TypeError('now must be a valid Date')

  const received = await headers
  const id = headerOf(received, 'webhook-id')
  const timestamp = headerOf(received, 'webhook-timestamp')
  const signatures = headerOf(received, 'webhook-signature')
    // A server joins repeated headers by a comma.
    .split(/,?\s+/)
    .filter((each) => each.startsWith('v1,'))
    .flatMap((each) => bytesOf(each.slice('v1,'.length)) ?? [])
  const age = now.getTime() / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > TOLERANCE_SECONDS) {
    throw new WebhookVerificationError('its timestamp is too old or in the future')
  }

  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  for (const key of keys) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) {
        return JSON.parse(new TextDecoder().decode(bytes))
      }
    }
  }
  throw new WebhookVerificationError(
    'its signature does not match. Pass the raw body, and the secret of this endpoint',
  )
}

function checkBody(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  throw new TypeError(
    `verifyWebhook needs the raw body of the request, as a string or bytes, not ${kindOf(body)}. ` +
      "Read it before a parser does, for example with express.raw({ type: 'application/json' }) or await request.text()",
  )
}

function checkSecrets(secret: unknown): string[] {
  const secrets = (Array.isArray(secret) ? secret : [secret])
    .filter((each) => each !== undefined && each !== null)
    .map((each) => (typeof each === 'string' ? each.trim() : each))
    .filter((each) => each !== '')
  if (secrets.length === 0) {
    throw new TypeError(
      `verifyWebhook needs the signing secret of the endpoint, which begins with ${PREFIX}, not ${kindOf(secret)}. Is its environment variable set?`,
    )
  }
  return secrets
}

function keyOf(secret: unknown): Promise<CryptoKey> {
  const text = typeof secret === 'string' ? secret : ''
  const bytes = bytesOf(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text)
  if (bytes === null || bytes.length === 0) {
    throw new TypeError(`The signing secret of an endpoint is a text that begins with ${PREFIX}`)
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
