import type { Currency } from '@muripo/contract/money'
import type { PaymentMethod, PaymentStatus } from '@muripo/contract/payments'

export const currencyNames: Readonly<Record<Currency, string>> = {
  USD: 'United States dollar',
  ZWG: 'Zimbabwe Gold',
  ZAR: 'South African rand',
  BWP: 'Botswana pula',
  GBP: 'Pound sterling',
  EUR: 'Euro',
}

export const statusTexts: Readonly<Record<PaymentStatus, string>> = {
  pending:
    'Not paid yet. status_reason says why the latest try was refused; your customer may try again until expires_at, unless you cancel it.',
  authorized:
    'Your customer has authorised the amount, and nothing is taken yet: capture it before capture_before, or cancel it.',
  completed: 'Paid. The money is booked to you.',
  failed:
    'Cancelled or expired without having been paid, or its authorisation has ended: status_reason says which. Should the provider confirm a try after all, it becomes completed.',
  refunded: 'Paid, and refunded to your customer in full.',
}

interface MethodWords {
  readonly name: string
  /** The payer's part in a payment. */
  readonly payer: string
}

export const methodLabels: Readonly<Record<PaymentMethod, MethodWords>> = {
  ecocash: { name: 'EcoCash', payer: 'Enters a number, and confirms with the PIN on the phone' },
  innbucks: { name: 'InnBucks', payer: 'Enters or scans a code in the app' },
  onemoney: { name: 'OneMoney', payer: 'Enters a number, and confirms with the PIN on the phone' },
  visa: { name: 'Visa/Mastercard', payer: 'Continues at a secure page, and comes back' },
}
