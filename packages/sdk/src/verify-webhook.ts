import type { MuripoEvent } from './generated/types.ts'

/** The signature of the request is not valid, or the request is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

type Headers =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null }

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/**
 * Verifies the signature of a request to your endpoint, and that your gateway signed it in the last five minutes.
 * @param body the unparsed body, byte for byte
 * @param headers the headers of the request, from Node's `request.headers` or as a `Headers` object
 * @param secret the signing secret of the endpoint, or both secrets while you replace one
 * @returns the event
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
    throw refused('its timestamp is too old or in the future')

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(each)
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return JSON.parse(text)
    }
  }
  throw refused('its signature does not match')
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

const refused = (reason: string) =>
  new WebhookVerificationError(`The webhook could not be verified: ${reason}`)
