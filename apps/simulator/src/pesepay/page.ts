import { money, toDecimal } from '@muripo/contract/money'
import { frame } from '../page/frame.ts'
import { html } from '../page/html.ts'
import { isOpen, type PesepayPayment } from './payments.ts'

export const choices = [
  ['SUCCESS', 'Pay by card'],
  ['INSUFFICIENT_FUNDS', 'Pay with a card without money'],
  ['DECLINED', 'Pay with a card that is declined'],
  ['CANCELLED', 'Cancel'],
] as const

/** Pesepay's page, at which the payer would enter a card. */
export function paymentPage(payment: PesepayPayment): string {
  const { currency, minor, reason } = payment
  const title = `Pay ${currency} ${toDecimal(money(BigInt(minor), currency))}`
  const buttons = choices.map(
    ([status, label], index) =>
      html`<button class="${index === 0 ? 'button' : 'button plain'}" name="status" value="${status}">${label}</button>`,
  )
  const body = isOpen(payment)
    ? html`<form method="post" class="find">${buttons}</form>`
    : html`<p>This payment has ended.</p>`
  return frame({
    title: `${title} · Pesepay simulator`,
    refreshSeconds: null,
    body: html`<h1>${title}</h1><p class="lead">${reason}. Pesepay's page in the simulator: choose what the card does.</p><div class="card">${body}</div>`,
  })
}
