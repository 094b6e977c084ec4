import { frame } from '../page/frame.ts'
import { type Html, html } from '../page/html.ts'
import { amountText, hintTable } from '../page/parts.ts'
import { type CardErrors, cardHints, expiryHints } from './cards.ts'
import type { Order } from './orders.ts'

const page = (title: string, body: Html): string =>
  frame({ title: `${title} · Muripo simulator`, refreshSeconds: null, body })

const cancelLink = ({ cancelUrl }: Order, text: string): Html | null =>
  cancelUrl === null ? null : html`<p><a class="back" href="${cancelUrl}">${text}</a></p>`

interface Field {
  readonly name: 'number' | 'expiry' | 'cvv'
  readonly label: string
  readonly placeholder: string
}
const fields: readonly Field[] = [
  { name: 'number', label: 'Card number', placeholder: '5123 4500 0000 0008' },
  { name: 'expiry', label: 'Expiry date', placeholder: '01/39' },
  { name: 'cvv', label: 'Security code', placeholder: '100' },
]

/** Nothing that was typed is sent back into the page. */
const input = ({ name, label, placeholder }: Field, error: string | undefined): Html =>
  html`<p><label for="${name}">${label}</label><input id="${name}" name="${name}" required inputmode="${name === 'expiry' ? 'text' : 'numeric'}" autocomplete="off" placeholder="${placeholder}" aria-describedby="${name}-error">${error === undefined ? null : html`<span class="error" id="${name}-error">${error}</span>`}</p>`

/** The card page of the provider. */
export const cardPage = (order: Order, errors: CardErrors, notice: string | null): string =>
  page(
    'Pay by card',
    html`<h1>Pay ${amountText(order)}</h1><p class="lead">${order.shopName}: ${order.description}. A simulated card page. Nothing here moves real money.</p>
<div class="grid"><section class="card"><h2>Card details</h2>${notice === null ? null : html`<p class="error" role="alert">${notice}</p>`}
<form class="fields" method="post" autocomplete="off">${fields.map((field) => input(field, errors[field.name]))}<button class="button">Pay ${amountText(order)}</button></form>
${cancelLink(order, 'Cancel and go back to the shop')}</section>
<div><section class="card"><h2>Test cards</h2>${hintTable(cardHints)}</section>
<section class="card"><h2>Expiry dates</h2>${hintTable(expiryHints)}</section></div></div>`,
  )

/** The page on which the card's bank authenticates the payer. */
export const challengePage = (order: Order): string =>
  page(
    '3-D Secure',
    html`<h1>Your bank asks</h1><p class="lead">Do you pay ${amountText(order)} to ${order.shopName} with the card ${order.challenged?.masked ?? ''}?</p>
<section class="card"><h2>3-D Secure</h2><form method="post"><div class="buttons"><button class="button" name="answer" value="approve">Approve</button><button class="button plain" name="answer" value="fail">Do not approve</button></div></form>
${cancelLink(order, 'Leave without an answer')}</section>`,
  )

export const closedPage = (order: Order, text: string): string =>
  page(
    'Card page closed',
    html`<h1>This card page is closed</h1><p class="lead">${text}</p><p><a class="button" href="${order.returnUrl}">Back to the shop</a></p>`,
  )
