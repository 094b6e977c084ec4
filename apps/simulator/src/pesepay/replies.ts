import { money, toMajor } from '@muripo/contract/money'
import type { PesepayPayment } from './payments.ts'

/** The provider's fee of the payer and of the merchant, by the type of charge of the merchant's account. */
const feesOf = {
  nobody: [0, 0],
  payer: [25, 0],
  merchant: [0, 25],
  both: [13, 12],
} as const

const wireCurrency = { USD: 'USD', ZWG: 'ZiG' } as const

const pollUrl = ({ behaviour, base, reference }: PesepayPayment): string =>
  behaviour.pollUrl ?? `${base}/v1/payments/check-payment?referenceNumber=${reference}`

const referenceOf = ({ behaviour, reference }: PesepayPayment): string | null =>
  behaviour.reference === 'in_poll_url' ? null : reference

/** The reply to a new payment. */
export const startedReply = (payment: PesepayPayment) => ({
  referenceNumber: referenceOf(payment),
  pollUrl: pollUrl(payment),
  ...(payment.wallet === null
    ? { redirectUrl: `${payment.base}/pay/${payment.reference}` }
    : { transactionStatus: payment.status, redirectRequired: false, ...metadataOf(payment) }),
})

/** InnBucks's code of nine digits. */
const metadataOf = ({ wallet, sequence }: PesepayPayment) =>
  wallet?.method === 'innbucks'
    ? { transactionMetadata: { code: String(710_000_000 + sequence), qrCode: 'iVBORw0KGgo=' } }
    : {}

/** The result of a payment, in look-ups and callbacks. */
export function resultReply(payment: PesepayPayment) {
  const { minor, currency, behaviour, status } = payment
  const major = (cents: number) => toMajor(money(BigInt(cents), currency))
  const requested = behaviour.echoMinor ?? minor
  const [ofPayer, ofMerchant] = feesOf[behaviour.feeBorneBy ?? 'payer']
  return {
    referenceNumber: referenceOf(payment),
    merchantReference: payment.merchantReference,
    pollUrl: pollUrl(payment),
    resultUrl: payment.resultUrl,
    returnUrl: payment.returnUrl,
    transactionStatus: status,
    amountDetails: {
      amount: major(requested),
      currencyCode: wireCurrency[currency],
      merchantAmount: major(requested - ofMerchant),
      customerPayableAmount: major(requested + ofPayer),
      totalTransactionAmount: major(requested + ofPayer),
      transactionServiceFee: major(ofPayer + ofMerchant),
    },
  }
}
