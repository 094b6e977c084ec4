import * as calls from 'virtual:calls/till'
import type { BodyInput } from '@muripo/contract/route'
import type { askAtTill, ChargeAtTill, TillPaymentDetails } from '@muripo/contract/till'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { send } from '../session/session.ts'
import { ApiError, read, throwIfFailed, unwrap } from './api-error.ts'
import type { Keyed } from './new-payment.ts'
import { queryKeys } from './query-keys.ts'
import { tillQuery } from './till-query.ts'

/** For queries whose screens show a failure in its place, without a toast. */
const quiet = { quiet: true } as const

export type TillDetails = TillPaymentDetails

export const useTill = (search?: string) => useQuery(tillQuery(search))

/** The payments of a prompt change within seconds; a page of a payer stays open for longer. */
const PROMPT_MS = 2000
const PAGE_MS = 4000

/** A pending payment is read again and again. */
function nextReadMs(payment: TillDetails | undefined): number | false {
  if (payment === undefined || payment.openAttempt !== null) return PROMPT_MS
  return payment.status === 'PENDING' ? PAGE_MS : false
}

export const useTillPayment = (paymentId: string) =>
  useQuery({
    queryKey: queryKeys.tillPayment(paymentId),
    queryFn: async ({ signal }): Promise<TillDetails> =>
      unwrap(await send(calls.getTillPayment, { params: { paymentId }, signal }), 'loadPayment'),
    refetchInterval: ({ state: { data, error } }) =>
      error instanceof ApiError && !error.isTemporary ? false : nextReadMs(data),
    meta: quiet,
  })

/** The drawing of the address of the payer's page, which does not change. */
export const useTillQr = (paymentId: string) =>
  useQuery({
    queryKey: queryKeys.tillQr(paymentId),
    queryFn: async ({ signal }): Promise<TillDetails['paymentQr']> =>
      read(
        await send(calls.getTillPayment, { params: { paymentId }, query: { qr: '1' }, signal }),
        'loadPayment',
        (body) => body?.paymentQr,
      ),
    staleTime: Number.POSITIVE_INFINITY,
    meta: quiet,
  })

export type Charge = z.input<typeof ChargeAtTill>

export const charge = async ({ body, idempotencyKey }: Keyed<Charge>): Promise<TillDetails> =>
  unwrap(await send(calls.chargeAtTill, { body, idempotencyKey }), 'chargeAtTill')

export interface Ask {
  readonly paymentId: string
  readonly body: BodyInput<typeof askAtTill>
}

export const ask = async ({ paymentId, body }: Ask): Promise<TillDetails> =>
  unwrap(await send(calls.askAtTill, { params: { paymentId }, body }), 'chargeAtTill')

export async function cancelAtTill(paymentId: string): Promise<void> {
  throwIfFailed(await send(calls.cancelAtTill, { params: { paymentId } }), 'cancelPayment')
}

/** For a write that the server executes once, however often it is sent: repeated while no answer arrives. */
export const repeatedly = {
  retry: (failures: number, error: Error) => failures < 4 && error instanceof ApiError && error.isTemporary,
  retryDelay: (failures: number) => 1000 * 2 ** failures,
} as const
