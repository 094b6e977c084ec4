import { frame } from '../page/frame.ts'
import { type Html, html } from '../page/html.ts'
import { amountText, errorLine, timeText } from '../page/parts.ts'
import type { PaymentCode } from './codes.ts'

/** A code in groups of three digits, as the app shows it. */
const grouped = (code: string): string => code.replaceAll(/\d{3}(?=\d)/g, '$& ')

const addressOf = ({ code }: PaymentCode): string => `/innbucks/app?code=${code}`

const form = (
  value: string,
  error: string | null,
): Html => html`<form class="find" method="get" action="/innbucks/app"><div><label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="off" required value="${value}" aria-describedby="code-error">${errorLine('code-error', error)}</div><button class="button">Pay by code</button></form>`

/** The first page of the app: enter a code, or choose one that waits. */
export function codesPage(waiting: readonly PaymentCode[], typed = '', error: string | null = null): string {
  const rows = waiting.map(
    (
      code,
    ) => html`<li class="row"><span><strong>${grouped(code.code)}</strong> <span class="quiet">${amountText(code)}</span></span>
<a class="button plain" href="${addressOf(code)}" aria-label="Open the code ${grouped(code.code)}">Open</a></li>`,
  )
  const list =
    rows.length === 0
      ? html`<p class="quiet">No code waits. Start a payment with InnBucks, and its code appears here.</p>`
      : html`<ul class="list">${rows}</ul>`
  return frame({
    title: 'InnBucks · Muripo simulator',
    refreshSeconds: null,
    body: html`<h1>InnBucks</h1><p class="lead">The app of a payer. Enter the code of a payment to approve or decline it.</p>
<div class="card">${form(typed, error)}</div><div class="card"><h2>Codes that wait</h2>${list}</div>`,
  })
}

function ended({ state, narration }: PaymentCode): string {
  if (state === 'Claimed' || state === 'Paid')
    return `You paid this code${narration ? ` for ${narration}` : ''}.`
  return 'This code has expired. Ask the shop for another one.'
}

export function codePage(code: PaymentCode): string {
  const screen =
    code.state === 'New'
      ? html`<section class="ussd" aria-label="Payment"><p>Pay ${amountText(code)}${code.narration ? html` for ${code.narration}` : null}?</p>
<form method="post" action="${addressOf(code)}"><div class="buttons"><button class="button" name="answer" value="approve">Approve</button><button class="button plain" name="answer" value="decline">Decline</button></div></form></section>`
      : html`<p class="idle">${ended(code)}</p>`
  return frame({
    title: `Code ${grouped(code.code)} · Muripo simulator`,
    refreshSeconds: null,
    body: html`<a class="back" href="/innbucks/app">All codes</a><h1>Code ${grouped(code.code)}</h1><p class="lead">${amountText(code)}. Nothing here moves real money.</p>
<div class="phone"><div class="ear"></div><div class="screen"><div class="status"><span>InnBucks</span><span>until ${timeText(code.expiresAt)}</span></div>${screen}</div></div>`,
  })
}
