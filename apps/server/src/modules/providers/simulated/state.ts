import { currencies, type Money } from '@muripo/contract/money'
import { type PaymentMethod, paymentMethods } from '@muripo/contract/payments'
import type { ChargeRequest, ProviderState } from '../connector.ts'
import { type Choice, isChoice } from './outcomes.ts'

/** A charge as its attempt stores it. */
export interface SimulatedCharge {
  readonly key: string
  readonly method: PaymentMethod
  readonly msisdn: string | null
  readonly amount: Money
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly expiresAt: number
  readonly choice: Choice | null
  /** The captured part of an authorisation; null before its capture. */
  readonly captured: Money | null
  readonly state: ProviderState
}

export function openState(
  { key, method, msisdn, amount }: ChargeRequest,
  startedAt: number,
  lifeMs: number,
): SimulatedCharge {
  const { minor, currency } = amount
  const expiresAt = startedAt + lifeMs
  const state = { key, method, msisdn, minor: String(minor), currency, startedAt, expiresAt, choice: null }
  return { key, method, msisdn, amount, startedAt, expiresAt, choice: null, captured: null, state }
}

/** Null without a state: the charge ended before it was recorded. */
export function readState(state: ProviderState | null): SimulatedCharge | null {
  if (state === null) return null
  const { key, msisdn, minor, startedAt, expiresAt, choice, captured } = state
  const currency = currencies.find((each) => each === state.currency)
  const method = paymentMethods.find((each) => each === state.method)
  if (currency === undefined || method === undefined) return null
  if (typeof key !== 'string' || typeof minor !== 'string') return null
  if (typeof startedAt !== 'number' || typeof expiresAt !== 'number') return null
  const money = (text: string): Money => ({ minor: BigInt(text), currency })
  return {
    key,
    method,
    msisdn: typeof msisdn === 'string' ? msisdn : null,
    amount: money(minor),
    startedAt,
    expiresAt,
    choice: isChoice(choice) ? choice : null,
    captured: typeof captured === 'string' ? money(captured) : null,
    state,
  }
}
