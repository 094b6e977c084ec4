import { fromMajor, type Money, MoneyError, subtract } from '@muripo/contract/money'
import type { EntityOf } from '../../../platform/db/table.ts'
import { displayNumber } from '../../providers/index.ts'
import type { attempts, payments, providerCall, refunds } from './tables.ts'

export type Payment = EntityOf<typeof payments>

/** An attempt of a payer to pay. */
export type Attempt = EntityOf<typeof attempts>

export type Refund = EntityOf<typeof refunds>

/** The common part of a charge and a refund: one call to a provider, whose outcome is its reply or a later look-up. */
export type ProviderCall = Pick<Attempt, keyof typeof providerCall>

/** The state of a call before its provider has answered. */
export const unansweredCall = {
  failureReason: null,
  providerStatus: null,
  providerReference: null,
  providerState: null,
  checks: 0,
  notFoundChecks: 0,
  outcomeFailures: 0,
  isDeferred: false,
  watchUntil: null,
  nextWatchAt: null,
} as const satisfies Partial<Attempt> & Partial<Refund>

/** The amount that is taken from the payer: fees, refunds and revenue are of this amount. */
export const paidAmountOf = ({ captured, amount }: Pick<Payment, 'captured' | 'amount'>): Money =>
  captured ?? amount

/** The remaining refundable amount of the payment. */
export const remainingOf = (
  payment: Pick<Payment, 'captured' | 'amount' | 'refunded' | 'refundPending' | 'reversed'>,
): Money =>
  subtract(
    subtract(subtract(paidAmountOf(payment), payment.refunded), payment.refundPending),
    payment.reversed,
  )

/** The merchant's share of the payment; null before its completion. */
export const netOf = (payment: Pick<Payment, 'captured' | 'amount' | 'fee'>): Money | null =>
  payment.fee && subtract(paidAmountOf(payment), payment.fee)

/** An amount that a client sent in major units; null when it is no such amount, of another currency, or more than `most`. */
export function requestedAmount(most: Money, major: number, currency = most.currency): Money | null {
  try {
    const amount = fromMajor(major, currency)
    return currency === most.currency && amount.minor <= most.minor ? amount : null
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** The payer's number as a page may show it, "077 *** 4567"; null for an attempt without a phone. */
export const maskedNumber = ({ msisdn }: Pick<Attempt, 'msisdn'>): string | null =>
  msisdn && displayNumber(msisdn)
