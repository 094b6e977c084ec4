import { DELIVERY_LOG_BODY_BYTES } from '@muripo/contract/constants'
import { PaymentId } from '@muripo/contract/ids'
import type { DeliveryError } from '@muripo/contract/webhook-enums'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { type Ids, parseId } from '../../../platform/ids.ts'
import type { CallResult, Outbound } from '../../../platform/outbound/outbound.ts'
import { type OpenSpan, traced } from '../../../platform/tracing/tracing.ts'
import { decryptSecret, signedHeaders } from '../endpoints/secrets.ts'
import type { CallableEndpoint } from '../endpoints/store-endpoints.ts'
import { bodyOf } from '../events/store-events.ts'
import type { Attempt, DeliveryOutcome, LeasedDelivery } from './store-queue.ts'

/** The status with which an endpoint refuses all further events. */
const GONE = 410
/** Headers that help to find an error. Other headers may contain data that must not be stored. */
const storedHeaders = [
  'content-type',
  'content-length',
  'date',
  'location',
  'retry-after',
  'server',
  'x-request-id',
]

/** The outcome to record, and its meaning for the endpoint. */
export interface Sent {
  readonly outcome: DeliveryOutcome
  readonly verdict: 'succeeded' | 'retry' | 'exhausted' | 'gone'
}

/** Makes one attempt, in the trace of the payment that the event is about. */
export const sendDelivery = (
  ctx: Pick<Ctx, 'clock' | 'ids' | 'keys' | 'tracing'>,
  outbound: Outbound,
  leased: LeasedDelivery,
  endpoint: CallableEndpoint,
): Promise<Sent> =>
  traced(
    spanOf(ctx, leased, endpoint),
    () => sendOnce(ctx, outbound, leased, endpoint),
    ({ outcome, verdict }) => ({
      'muripo.verdict': verdict,
      'http.response.status_code': outcome.attempt?.responseStatus ?? undefined,
    }),
  )

function spanOf(
  { tracing }: Pick<Ctx, 'tracing'>,
  { event, attempts }: LeasedDelivery,
  endpoint: CallableEndpoint,
): OpenSpan | undefined {
  const id = tracing && parseId(PaymentId, String(JSON.parse(event.data).id))
  if (!id) return undefined
  return tracing.payment(id, 'webhook.deliver', {
    'muripo.event.id': event.id,
    'muripo.event.type': event.type,
    'muripo.endpoint.id': endpoint.id,
    'muripo.delivery.attempt': attempts + 1,
  })
}

/** The secrets of endpoints as the cache returns them, for a second: deliveries of that time share the decryption. */
const decrypted = new WeakMap<CallableEndpoint, readonly Buffer[]>()

function secretsOf({ keys }: Pick<Ctx, 'keys'>, endpoint: CallableEndpoint): readonly Buffer[] {
  const known = decrypted.get(endpoint)
  if (known) return known
  const { accountId, id, encryptedSecrets } = endpoint
  const secrets = encryptedSecrets.map((encrypted) => decryptSecret(keys, accountId, id, encrypted))
  decrypted.set(endpoint, secrets)
  return secrets
}

/**
 * Makes one attempt, with a signature of its own time. The id is the event's in every attempt, so that an endpoint recognises a repetition.
 */
async function sendOnce(
  ctx: Pick<Ctx, 'clock' | 'ids' | 'keys'>,
  outbound: Outbound,
  leased: LeasedDelivery,
  endpoint: CallableEndpoint,
): Promise<Sent> {
  const at = ctx.clock.now()
  const body = bodyOf(leased.event)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Muripo-Webhooks/1',
    ...signedHeaders(secretsOf(ctx, endpoint), leased.event.id, at, body),
  }
  const result = await outbound.post(endpoint.url, headers, body)
  const now = ctx.clock.now()
  return classify(ctx, leased, result, {
    at,
    durationMs: Math.max(0, now.getTime() - at.getTime()),
    requestHeaders: headers,
    ...storedParts(result),
  })
}

function classify(
  ctx: Pick<Ctx, 'clock' | 'ids'>,
  leased: LeasedDelivery,
  result: CallResult,
  attempt: Attempt,
): Sent {
  const outcome = { leased, attempt, error: attempt.error }
  if (attempt.error === null) {
    return { outcome: { ...outcome, status: 'delivered', nextAttemptAt: null }, verdict: 'succeeded' }
  }
  if (attempt.responseStatus === GONE) {
    return { outcome: { ...outcome, status: 'failed', nextAttemptAt: null }, verdict: 'gone' }
  }
  const failed = leased.attempts + 1 - leased.attemptsBefore
  const requestedMs = 'headers' in result ? retryAfterMs(result.headers['retry-after']) : 0
  const next = nextAttemptAt(failed, ctx.clock.now(), ctx.ids, requestedMs)
  return next === null
    ? { outcome: { ...outcome, status: 'failed', nextAttemptAt: null }, verdict: 'exhausted' }
    : { outcome: { ...outcome, status: 'pending', nextAttemptAt: next }, verdict: 'retry' }
}

type Stored = Pick<Attempt, 'responseStatus' | 'error' | 'responseHeaders' | 'responseBody' | 'responseCut'>

function storedParts(result: CallResult): Stored {
  if ('error' in result) {
    return {
      responseStatus: null,
      error: result.error,
      responseHeaders: {},
      responseBody: '',
      responseCut: false,
    }
  }
  const { status, headers, body, isCut } = result
  const error: DeliveryError | null = status >= 200 && status < 300 ? null : 'refused'
  return {
    responseStatus: status,
    error,
    responseHeaders: Object.fromEntries(
      storedHeaders.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, headers[name].slice(0, 500)]],
      ),
    ),
    // The database stores no NUL.
    responseBody: body.subarray(0, DELIVERY_LOG_BODY_BYTES).toString('utf8').replaceAll('\0', '\ufffd'),
    responseCut: isCut || body.length > DELIVERY_LOG_BODY_BYTES,
  }
}

/** The outcome of a delivery whose endpoint is disabled or deleted. */
export const notSent = (leased: LeasedDelivery): DeliveryOutcome => ({
  leased,
  status: 'failed',
  nextAttemptAt: null,
  attempt: null,
  error: 'endpoint_off',
})

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The pause after the first failed attempt, after the second, and so on. The delivery fails when none is left. */
export const pausesMs = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

const SPREAD = 0.2
const RETRY_AFTER_MAX_MS = 24 * HOUR

/**
 * The time of the next attempt; null after the last one.
 * @param requestedMs the delay that the endpoint requested
 */
export function nextAttemptAt(failed: number, now: Date, ids: Ids, requestedMs = 0): Date | null {
  const pause = pausesMs[failed - 1]
  if (pause === undefined) return null
  return plusMs(
    now,
    Math.round(Math.max(pause * ids.jitter(SPREAD), Math.min(requestedMs, RETRY_AFTER_MAX_MS))),
  )
}

/** The delay of a Retry-After header in seconds; a date is ignored, because its clock may differ. */
export function retryAfterMs(header: string | undefined): number {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * SECOND : 0
}
