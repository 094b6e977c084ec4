import type { PricedMethod, PriceFeature } from '@muripo/contract/pricing'

export const featureWords: Readonly<Record<PriceFeature, string>> = {
  cards_accepted: 'Visa, Mastercard and American Express',
  cards_authentication: 'The bank asks its cardholder to confirm (3-D Secure)',
  instant_confirmation: 'You know within seconds whether it is paid',
  refund_from_dashboard: 'Refunds with one button in the dashboard',
  bank_large_amounts: 'The right choice for large amounts',
  bank_reference: 'A reference of its own for each payment, so that none is mistaken',
  settlement_time: 'Settlement in 1-2 business days',
  exportable_records: 'Records for your books',
  wallets_accepted: 'EcoCash, InnBucks and OneMoney',
  wallet_pin_prompt: 'Your customer confirms with a PIN on the phone',
  crypto_lowest_fee: 'Our lowest fee',
  crypto_no_chargebacks: 'No chargebacks: what is paid stays paid',
}

export const methodSentences: Readonly<Record<PricedMethod, string>> = {
  creditCards: 'For customers anywhere in the world who pay with the card in their pocket.',
  bankTransfers: 'For invoices and orders that are too large for a wallet.',
  mobileMoney: 'For customers who pay with the wallet on their phone.',
  cryptocurrency: 'For customers who hold digital currency.',
}
