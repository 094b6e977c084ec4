import type { FormProblem } from '@muripo/contract/checkout'
import { priceText, toDecimal } from '@muripo/contract/money'
import { methodNames, type PaymentMethod } from '@muripo/contract/payments'
import { problemOf } from '@muripo/locales/form-problems'
import { refusedField } from '../../../platform/errors.ts'
import { type Connector, type Offer, passedLimitOf, toMsisdn } from '../../providers/index.ts'
import type { Payment } from '../payment/payment.ts'

interface Chosen {
  readonly method: PaymentMethod
  readonly phone: string
}

export interface AttemptRoute {
  readonly connector: Connector
  /** The connectors that may take the charge when no byte was sent to the first one. */
  readonly others: readonly Connector[]
  /** Null for a method without a phone. */
  readonly msisdn: string | null
}

/**
 * The connectors that take an attempt, and the number that it prompts.
 * @throws AppError validation_failed (field method or phone)
 */
export function routeOfAttempt(
  offer: Offer,
  chosen: Chosen,
  payment: Pick<Payment, 'amount' | 'captureMode'>,
): AttemptRoute {
  const [connector, ...others] = offer.routeFor(chosen.method, payment.amount, payment.captureMode)
  if (!connector) throw refusedField('method', notServed(offer, chosen.method, payment))
  return { connector, others, msisdn: msisdnFor(connector, chosen) }
}

function notServed(
  offer: Offer,
  method: PaymentMethod,
  { amount, captureMode }: Pick<Payment, 'amount' | 'captureMode'>,
): FormProblem {
  if (captureMode === 'manual' && offer.routeFor(method, amount).length > 0)
    return problemOf('methodNoCapture', { method: methodNames[method] })
  const passed = passedLimitOf(offer.routeOf(method, amount.currency), amount)
  if (passed === null) return problemOf('methodMissing')
  const price = priceText(passed.amount.currency, toDecimal(passed.amount))
  return problemOf(passed.kind === 'least' ? 'methodFrom' : 'methodUpTo', {
    method: methodNames[method],
    price,
  })
}

function msisdnFor(connector: Connector, { method, phone }: Chosen): string | null {
  if (!connector.needs(method).includes('phone')) return null
  const msisdn = toMsisdn(phone)
  if (msisdn === null) throw refusedField('phone', problemOf('phoneInvalid'))
  const refused = connector.refuseNumber(msisdn, method)
  if (refused !== null) throw refusedField('phone', refused)
  return msisdn
}
