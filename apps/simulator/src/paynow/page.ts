import type { Transaction } from '../ledger.ts'
import { frame } from '../page/frame.ts'
import { html } from '../page/html.ts'
import { amountText } from '../phone/messages.ts'
import type { Verdict } from '../verdicts.ts'

export const choices = {
  success: 'Pay by card',
  insufficient_funds: 'Pay with a card that is declined',
  cancelled: 'Cancel',
} as const satisfies Partial<Record<Verdict, string>>

/** Paynow's page, at which the payer would enter a card. */
export function confirmPage(transaction: Transaction): string {
  const title = `Pay ${amountText(transaction)}`
  const buttons = Object.entries(choices).map(
    ([verdict, label], index) =>
      html`<button class="${index === 0 ? 'button' : 'button plain'}" name="verdict" value="${verdict}">${label}</button>`,
  )
  const body =
    transaction.status === 'pending'
      ? html`<form method="post" class="find">${buttons}</form>`
      : html`<p>This payment has ended.</p>`
  return frame({
    title: `${title} · Paynow simulator`,
    refreshSeconds: null,
    body: html`<h1>${title}</h1><p class="lead">${transaction.remarks}. Paynow's page in the simulator: choose what the card does.</p><div class="card">${body}</div>`,
  })
}
