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
    'Not paid yet. status_reason contains the reason of the latest failed attempt. Your customer may try again until expires_at, unless you cancel the payment.',
  authorized:
    'Your customer has authorised the amount, which is not captured yet. Capture it before capture_before, or cancel the payment.',
  completed: 'Paid. The amount is in your balance.',
  failed:
    'Cancelled, expired, or its authorisation has ended: status_reason contains the reason. If the provider still confirms an attempt, the payment becomes completed.',
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
