import { currencies, fromMajor, toDecimal } from '@muripo/contract/money'
import {
  type CreatePayment,
  methodNames,
  type PaymentMethod,
  paymentMethods,
} from '@muripo/contract/payments'
import { invalidField } from '../../../platform/errors.ts'
import type { KeyMode } from '../../../platform/settings.ts'
import { type Offer, passedLimitOf } from '../../providers/index.ts'

type Requested = Pick<CreatePayment, 'amount' | 'currency' | 'capture' | 'method'>

/** The methods that can take the payment as long as the routes stay as they are. */
export function payableMethods(offer: Offer, { amount, currency, capture }: Requested): PaymentMethod[] {
  const money = fromMajor(amount, currency)
  return paymentMethods.filter((method) => offer.routeFor(method, money, capture).length > 0)
}

/** The currencies that have a method, with their methods. */
export const payableCurrencies = (offer: Offer) =>
  currencies
    .map((currency) => ({ currency, methods: offer.methodsIn(currency) }))
    .filter(({ methods }) => methods.length > 0)

/**
 * Refuses a payment that no method can take, because its page could never be paid.
 * @param methods those that can take it
 * @throws AppError validation_failed
 */
export function refuseUnpayable(
  offer: Offer,
  mode: KeyMode,
  requested: Requested,
  methods: readonly PaymentMethod[],
): void {
  const { method, currency, capture } = requested
  const canReserve = method === undefined ? methods.length > 0 : methods.includes(method)
  if (capture === 'manual' ? canReserve : methods.length > 0) return
  const taken = payableCurrencies(offer).map((each) => each.currency)
  if (!taken.includes(currency)) {
    const known = taken.length > 0 ? taken.join(', ') : `this gateway has none for ${mode} keys`
    throw invalidField('currency', `Must be a currency with a payment method: ${known}`)
  }
  if (payableMethods(offer, { ...requested, capture: 'automatic' }).length === 0)
    throw outsideLimits(offer, requested)
  throw invalidField(
    'capture',
    method ? `${methodNames[method]} cannot be captured later` : 'No method can be captured later',
  )
}

function outsideLimits(offer: Offer, { amount, currency }: Requested): Error {
  const routes = offer.methodsIn(currency).flatMap((method) => offer.routeOf(method, currency))
  const limit = passedLimitOf(routes, fromMajor(amount, currency))
  const nearest = limit && `at ${limit.kind} ${currency} ${toDecimal(limit.amount)}`
  return invalidField('amount', `The amount must be ${nearest}: no payment method takes another one`)
}
