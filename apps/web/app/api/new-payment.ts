import * as calls from 'virtual:calls/payment-actions'
import type { CreateDashboardPayment, CreatedPayment, PaymentOptions } from '@muripo/contract/payment-actions'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { send } from '../session/session.ts'
import { read, unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

/** The applications and the currencies of new payments. */
export const usePaymentOptions = () =>
  useQuery({
    queryKey: queryKeys.paymentOptions,
    queryFn: async ({ signal }): Promise<PaymentOptions> =>
      unwrap(await send(calls.getPaymentOptions, { signal }), 'loadPaymentOptions'),
    meta: { quiet: true },
  })

export type NewPayment = Keyed<z.input<typeof CreateDashboardPayment>>

/** Random also on a page without a secure origin, where the browser has no `randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export interface Keyed<Body> {
  readonly body: Body
  /** The same request under the same key is executed once. */
  readonly idempotencyKey: string
}

/** Gives a repeated request the key of the first one: however often it is sent, it creates one payment. */
export function createKeyring<Body>(): (body: Body) => Keyed<Body> {
  let latest: { readonly text: string; readonly idempotencyKey: string } | null = null
  return (body) => {
    const text = JSON.stringify(body)
    if (latest?.text !== text) latest = { text, idempotencyKey: newKey() }
    return { body, idempotencyKey: latest.idempotencyKey }
  }
}

export async function createPayment({ body, idempotencyKey }: NewPayment): Promise<CreatedPayment> {
  return read(
    await send(calls.createPayment, { body, idempotencyKey }),
    'createPayment',
    (payment) => payment,
  )
}
