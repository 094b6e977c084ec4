import type { Transaction } from '../ledger.ts'
import { frame } from '../page/frame.ts'
import { type Html, html } from '../page/html.ts'
import { amountText, errorLine, hintTable, timeText } from '../page/parts.ts'
import { decisionOf, numberHints, pinHints } from '../verdicts.ts'
import { localNumber, messageText, promptText, walletName } from './messages.ts'

const findForm = (
  value: string,
  error: string | null,
): Html => html`<form class="find" method="get" action="/phone"><div><label for="number">Phone number</label>
<input id="number" name="number" inputmode="tel" autocomplete="off" required placeholder="077 100 0001" value="${value}" aria-describedby="number-error">${errorLine('number-error', error)}</div><button class="button">Open this phone</button></form>`

export function listPage(waiting: readonly Transaction[], typed = '', error: string | null = null): string {
  const numbers = [...new Set(waiting.map(({ number }) => number))]
  const rows = numbers.map((number) => {
    const prompts = waiting.filter((transaction) => transaction.number === number)
    const [first] = prompts
    const what = prompts.length > 1 || !first ? `${prompts.length} prompts` : amountText(first)
    return html`<li class="row"><span><strong>${localNumber(number)}</strong> <span class="quiet">${what}</span></span>
<a class="button plain" href="/phone?number=${number}" aria-label="Open the phone ${localNumber(number)}">Open</a></li>`
  })
  const list =
    rows.length === 0
      ? html`<p class="quiet">No phone is being asked for a PIN. Start a payment with a mobile wallet, and its phone appears here.</p>`
      : html`<ul class="list">${rows}</ul>`
  return frame({
    title: 'Phones · Muripo simulator',
    refreshSeconds: error === null ? 10 : null,
    body: html`<h1>Phones</h1><p class="lead">Each number that pays here has a phone. Open one to approve or decline. Payments with InnBucks have <a href="/innbucks/app">codes</a>.</p>
<div class="card"><h2>Waiting for a PIN</h2>${list}</div><div class="card"><h2>Another phone</h2>${findForm(typed, error)}</div>
<div class="card"><h2>Numbers that answer by themselves</h2>${hintTable(numberHints)}</div>`,
  })
}

function prompt(transaction: Transaction, error: string | null): Html {
  const id = `pin-${transaction.sequence}`
  return html`<section class="ussd" aria-label="Prompt"><p>${promptText(transaction)}</p>
<form method="post" action="/phone/prompts/${encodeURIComponent(transaction.correlator)}" autocomplete="off">
<label for="${id}">PIN</label><input class="pin" id="${id}" name="pin" type="password" inputmode="numeric" maxlength="4" pattern="[0-9]{4}" title="Four digits" required autofocus autocomplete="off" aria-describedby="pin-error">${errorLine('pin-error', error)}
<div class="buttons"><button class="button">Approve</button><button class="button plain" name="decline" value="true" formnovalidate>Decline</button></div></form></section>`
}

export interface PhoneView {
  readonly number: string
  readonly transactions: readonly Transaction[]
  readonly now: number
  readonly error?: string
}

/** A wallet takes a payment back when its subscriber complains, or by mistake. */
const reversal = ({ kind, status, correlator }: Transaction): Html | null =>
  kind === 'charge' && status === 'completed'
    ? html`<form method="post" action="/phone/reversals/${encodeURIComponent(correlator)}"><button class="button plain">Take this payment back</button></form>`
    : null

export function phonePage({ number, transactions, now, error = '' }: PhoneView): string {
  const waiting = transactions.filter((transaction) => transaction.prompt)
  const messages = transactions
    .flatMap((transaction) => {
      const text = messageText(transaction)
      return text === null ? [] : [{ text, at: transaction.endedAt ?? transaction.createdAt, transaction }]
    })
    .slice(-8)
    .reverse()
  // The handset shows one prompt at a time.
  const [first] = waiting
  const behind = waiting.length - 1
  const screen =
    first === undefined
      ? html`<p class="idle">${decisionOf(number) === null ? 'No prompt. One appears here when a payment asks this number.' : 'This number answers by itself, without a PIN.'}</p>`
      : html`${prompt(first, error === '' ? null : error)}${behind > 0 ? html`<p class="wait">${behind} more behind this one</p>` : null}`
  const list =
    messages.length === 0
      ? html`<p class="quiet">No messages yet.</p>`
      : html`<ul class="list">${messages.map(({ text, at, transaction }) => html`<li>${text}<time class="when">${timeText(at)}</time>${reversal(transaction)}</li>`)}</ul>`
  return frame({
    title: `${localNumber(number)} · Muripo simulator`,
    refreshSeconds: first === undefined ? 3 : null,
    body: html`<a class="back" href="/phone">All phones</a><h1>${localNumber(number)}</h1><p class="lead">A simulated phone. Nothing here moves real money.</p>
<div class="grid"><div class="phone"><div class="ear"></div><div class="screen"><div class="status"><span>${walletName(number)}</span><span>${timeText(now)}</span></div>${screen}</div></div>
<div><section class="card"><h2>Messages</h2>${list}</section><section class="card"><h2>PINs of this simulator</h2>${hintTable(pinHints)}</section></div></div>`,
  })
}
