import { choicePage } from '../page/parts.ts'
import { isOpen, type PesepayPayment } from './payments.ts'

export const choices = [
  ['SUCCESS', 'Pay by card'],
  ['INSUFFICIENT_FUNDS', 'Pay with a card without money'],
  ['DECLINED', 'Pay with a card that is declined'],
  ['CANCELLED', 'Cancel'],
] as const

export const paymentPage = (payment: PesepayPayment): string =>
  choicePage({
    provider: 'Pesepay',
    amount: payment,
    reason: payment.reason,
    isOpen: isOpen(payment),
    field: 'status',
    choices,
  })
