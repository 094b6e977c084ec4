import { type Currency, money, toDecimal } from '@muripo/contract/money'
import { frame } from './frame.ts'
import { type Html, html } from './html.ts'

interface Amount {
  readonly currency: Currency
  readonly minor: number
}

export const amountText = ({ currency, minor }: Amount): string =>
  `${currency} ${toDecimal(money(BigInt(minor), currency))}`

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Africa/Harare' })
export const timeText = (at: number): string => time.format(at)

/** A table of inputs with their meanings. */
export const hintTable = (hints: readonly (readonly [string, string])[]): Html =>
  html`<table><tbody>${hints.map(([what, means]) => html`<tr><th scope="row">${what}</th><td>${means}</td></tr>`)}</tbody></table>`

export const errorLine = (id: string, text: string | null): Html | null =>
  text === null ? null : html`<p class="error" id="${id}">${text}</p>`

interface ChoicePage {
  readonly provider: string
  readonly amount: Amount
  readonly reason: string
  readonly isOpen: boolean
  /** The name of the form's field, and its values with their labels. */
  readonly field: string
  readonly choices: readonly (readonly [value: string, label: string])[]
}

/** A provider's page at which the payer would enter a card, and here chooses what the card does. */
export function choicePage({ provider, amount, reason, isOpen, field, choices }: ChoicePage): string {
  const title = `Pay ${amountText(amount)}`
  const buttons = choices.map(
    ([value, label], index) =>
      html`<button class="${index === 0 ? 'button' : 'button plain'}" name="${field}" value="${value}">${label}</button>`,
  )
  const body = isOpen
    ? html`<form method="post" class="find">${buttons}</form>`
    : html`<p>This payment has ended.</p>`
  return frame({
    title: `${title} · ${provider} simulator`,
    refreshSeconds: null,
    body: html`<h1>${title}</h1><p class="lead">${reason}. ${provider}'s page in the simulator: choose what the card does.</p><div class="card">${body}</div>`,
  })
}
