import { DELIVERY_LOG_BODY_BYTES } from '@muripo/contract/constants'
import type { DeliveryFault } from '@muripo/contract/words'
import type { Ctx } from '../../../platform/ctx.ts'
import type { CallResult, Outbound } from '../../../platform/outbound/outbound.ts'
import { openSecret, signedHeaders } from '../secrets.ts'
import type { Receiver } from '../store-endpoints.ts'
import type { Attempt, Leased, Settled } from '../store-queue.ts'
import { bodyOf } from '../wire.ts'
import { nextAttemptAt, retryAfterMs } from './schedule.ts'

/** A receiver says with this that it wants no more. */
const GONE = 410
/** Headers that say something about a fault. Others may hold what the receiver would not want kept. */
const keptHeaders = [
  'content-type',
  'content-length',
  'date',
  'location',
  'retry-after',
  'server',
  'x-request-id',
]

/** What is to be written down, and what it says of the endpoint. */
export interface Sent {
  readonly settled: Settled
  readonly verdict: 'good' | 'bad' | 'given_up' | 'gone'
}

/** One try. Signed anew each time, with the time of this try; the id stays the event's, so that a receiver knows it again. */
export async function send(
  ctx: Pick<Ctx, 'clock' | 'ids' | 'keys'>,
  outbound: Outbound,
  leased: Leased,
  { merchantId, id, url, sealedSecrets }: Receiver,
): Promise<Sent> {
  const at = ctx.clock.now()
  const body = bodyOf(leased.event)
  const secrets = sealedSecrets.map((sealed) => openSecret(ctx.keys, merchantId, id, sealed))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Muripo-Webhooks/1',
    ...signedHeaders(secrets, leased.event.id, at, body),
  }
  const result = await outbound.post(url, headers, body)
  const now = ctx.clock.now()
  return judge(ctx, leased, result, {
    at,
    durationMs: Math.max(0, now.getTime() - at.getTime()),
    requestHeaders: headers,
    ...kept(result),
  })
}

function judge(ctx: Pick<Ctx, 'clock' | 'ids'>, leased: Leased, result: CallResult, attempt: Attempt): Sent {
  const settled = { leased, attempt, fault: attempt.fault }
  if (attempt.fault === null) {
    return { settled: { ...settled, status: 'delivered', nextAttemptAt: null }, verdict: 'good' }
  }
  if (attempt.responseStatus === GONE) {
    return { settled: { ...settled, status: 'failed', nextAttemptAt: null }, verdict: 'gone' }
  }
  const failed = leased.attempts + 1 - leased.attemptsBefore
  const asked = 'headers' in result ? retryAfterMs(result.headers['retry-after']) : 0
  const next = nextAttemptAt(failed, ctx.clock.now(), ctx.ids, asked)
  return next === null
    ? { settled: { ...settled, status: 'failed', nextAttemptAt: null }, verdict: 'given_up' }
    : { settled: { ...settled, status: 'pending', nextAttemptAt: next }, verdict: 'bad' }
}

type Kept = Pick<Attempt, 'responseStatus' | 'fault' | 'responseHeaders' | 'responseBody' | 'responseCut'>

function kept(result: CallResult): Kept {
  if ('fault' in result) {
    return {
      responseStatus: null,
      fault: result.fault,
      responseHeaders: {},
      responseBody: '',
      responseCut: false,
    }
  }
  const { status, headers, body, isCut } = result
  const fault: DeliveryFault | null = status >= 200 && status < 300 ? null : 'refused'
  return {
    responseStatus: status,
    fault,
    responseHeaders: Object.fromEntries(
      keptHeaders.flatMap((name) =>
        headers[name] === undefined ? [] : [[name, headers[name].slice(0, 500)]],
      ),
    ),
    // The database keeps no NUL.
    responseBody: body.subarray(0, DELIVERY_LOG_BODY_BYTES).toString('utf8').replaceAll('\0', '\ufffd'),
    responseCut: isCut || body.length > DELIVERY_LOG_BODY_BYTES,
  }
}

/** For what is not to be sent: its endpoint is off or deleted. */
export const notSent = (leased: Leased): Settled => ({
  leased,
  status: 'failed',
  nextAttemptAt: null,
  attempt: null,
  fault: 'endpoint_off',
})
