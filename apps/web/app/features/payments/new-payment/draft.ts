import type { Currency } from '@muripo/contract/amounts'
import { fromMajor, toMajor } from '@muripo/contract/amounts'
import type { PaymentMethod } from '@muripo/contract/enums'
import type { CreatedPayment, PaymentOptions } from '@muripo/contract/payment-actions'
import { feeForPayment } from '@muripo/contract/pricing'
import type { NewPayment } from '../../../api/new-payment.ts'
import { type AmountError, readAmount } from '../details/amount-input.ts'
import { type NewPaymentText, priceText } from './text.ts'

/** The fields as they were typed. */
export interface Draft {
  readonly amount: string
  readonly currency: string
  readonly whatFor: string
  readonly phone: string
  readonly applicationId: string
}

/** The state of the sheet. It lives as long as the page, so that a sheet closed by mistake opens with everything that was typed. */
export interface Opened {
  readonly draft: Partial<Draft>
  readonly created: CreatedPayment | null
}

const anyAmount = { left: Number.POSITIVE_INFINITY, underWay: [] }

export const readPrice = ({ amount, currency }: Pick<Draft, 'amount' | 'currency'>) =>
  readAmount(amount, currency, anyAmount)

const hasPhoneDigits = (phone: string): boolean => {
  const digits = phone.replace(/\D/g, '').length
  return digits >= 9 && digits <= 15
}

type DraftError = {
  readonly amount?: Exclude<AmountError, 'amountTooHigh'>
  readonly whatFor?: true
  readonly phone?: true
}

/** The problem of each invalid field, in the order of the form. */
export function draftErrors(draft: Draft): DraftError {
  const price = readPrice(draft)
  return {
    ...(price.error !== null && price.error !== 'amountTooHigh' && { amount: price.error }),
    ...(draft.whatFor.trim() === '' && { whatFor: true }),
    ...(draft.phone.trim() !== '' && !hasPhoneDigits(draft.phone) && { phone: true }),
  }
}

/** The request of a valid draft. */
export function bodyOf(draft: Draft): NewPayment['body'] {
  const phone = draft.phone.trim()
  return {
    applicationId: draft.applicationId as NewPayment['body']['applicationId'],
    amount: readPrice(draft).amount ?? 0,
    currency: draft.currency as Currency,
    purposeDescription: draft.whatFor.trim(),
    ...(phone !== '' && { customerPhoneNumber: phone }),
  }
}

type Offered = PaymentOptions['currencies'][number]

/** The amount less the fee, by the methods that the customer can choose. */
export function keepText(
  draft: Pick<Draft, 'amount' | 'currency'>,
  offered: Offered | undefined,
  t: NewPaymentText,
): string {
  const { amount } = readPrice(draft)
  if (amount === null || offered === undefined) return t('keepUnknown')
  const kept = (method: PaymentMethod | undefined): string | null => {
    if (method === undefined) return null
    try {
      const price = fromMajor(amount, offered.currency)
      const { minor } = feeForPayment(method, price)
      return priceText(offered.currency, toMajor({ ...price, minor: price.minor - minor }))
    } catch {
      return null
    }
  }
  const mobile = kept(offered.methods.find((method) => method !== 'visa'))
  const card = kept(offered.methods.find((method) => method === 'visa'))
  if (mobile !== null && card !== null) return t('keepEither', { mobile, card })
  if (mobile !== null) return t('keepMobile', { mobile })
  return card === null ? t('keepUnknown') : t('keepCard', { card })
}
