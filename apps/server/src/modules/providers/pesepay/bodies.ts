import { toMajor } from '@muripo/contract/money'
import { type ChargeRequest, ProviderError, phoneOf } from '../connector.ts'
import { plainText } from '../texts.ts'
import { type Wallet, wireNames } from './config.ts'
import type { PesepayConfig } from './settings.ts'

const nationalNumber = (msisdn: string): string => `0${msisdn.slice(3)}`

const notTaken = (what: string) =>
  new ProviderError('invalid', `The Pesepay account does not take ${what}`, { neverSent: true })

/** The body of a payment at Pesepay's page. @throws ProviderError invalid: the account does not take the currency */
export function pageBody({ currencies }: PesepayConfig, request: ChargeRequest): object {
  const { amount, key, description, callbackUrl, returnUrl } = request
  const currency = currencies.find((each) => each === amount.currency)
  if (!currency) throw notTaken(amount.currency)
  return {
    amountDetails: { amount: toMajor(amount), currencyCode: wireNames[currency] },
    reasonForPayment: plainText(description, 'Payment'),
    merchantReference: key,
    resultUrl: callbackUrl,
    returnUrl,
  }
}

/** The body of a payment by a wallet. @throws ProviderError invalid: the account does not take the wallet in the currency */
export function walletBody(config: PesepayConfig, request: ChargeRequest, wallet: Wallet): object {
  const body = pageBody(config, request)
  const { currency } = request.amount
  const paymentMethodCode = config.walletCodes[wallet][currency]
  if (paymentMethodCode === undefined) throw notTaken(`${wallet} in ${currency}`)
  const phone = nationalNumber(phoneOf(request))
  const fields = { customerPhoneNumber: phone }
  const customer = { phoneNumber: phone, name: 'Customer', ...(request.email && { email: request.email }) }
  // Clients of Pesepay send the fields under both names.
  return {
    ...body,
    paymentMethodCode,
    customer,
    paymentMethodRequiredFields: fields,
    paymentRequestFields: fields,
  }
}
