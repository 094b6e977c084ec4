import english from 'virtual:texts/newPayment/en'
import type { newPayment } from '@muripo/locales/new-payment'
import type { Translate } from '@muripo/locales/translator'
import { plainAmount } from '../../../lib/format.ts'
import { usePageText } from '../../../lib/page-text.ts'

export type NewPaymentText = Translate<typeof newPayment>

export const useNewPaymentText = (): NewPaymentText => usePageText<typeof newPayment>(english)

/** "USD 25.00", in one line. */
export const priceText = (currency: string, amount: number): string =>
  `${currency}\u00a0${plainAmount(amount)}`
