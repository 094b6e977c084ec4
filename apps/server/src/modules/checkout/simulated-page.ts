import { createHash } from 'node:crypto'
import type { CheckoutView } from '@muripo/contract/checkout'
import { methodNames } from '@muripo/contract/enums'
import { priceText } from '@muripo/contract/money'
import { escapeHtml } from '../../platform/http/escape-html.ts'
import type { Choice } from '../providers/index.ts'

const style = `
:root { color-scheme: light }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1a1d24; background: #f4f5f7 }
main { max-width: 26rem; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere }
.test { padding: 8px 12px; border-radius: 8px; background: #fff3d6; color: #5c3b00 }
h1 { font-size: 1.25rem }
form { display: grid; gap: 12px; margin-top: 24px }
button { min-height: 48px; font: inherit; border: 1px solid #6b7280; border-radius: 8px; background: #fff; color: inherit }
button:first-child { border-color: #12306b; background: #12306b; color: #fff }
`

/** The page runs no script, and loads nothing. */
export const simulatedPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
}

const labels: Readonly<Record<Choice, string>> = {
  pay: 'Pay',
  no_funds: 'Refuse: insufficient funds',
  cancel: 'Cancel',
}

/** The page at which the payer of a test payment chooses the result. It has no field, so that nobody enters a real card. */
export function simulatedPage({ shopName, amount, currency, attempt }: CheckoutView): string {
  const method = attempt ? methodNames[attempt.method] : ''
  const buttons = Object.entries(labels).map(
    ([choice, label]) => `<button name="choice" value="${choice}">${label}</button>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Test payment: choose the result</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="test">This is a test: no real money moves.</p>
<h1>Simulated ${escapeHtml(method)} payment</h1>
<p>${escapeHtml(priceText(currency, amount))} to ${escapeHtml(shopName)}. With a live key, the payer confirms here with ${escapeHtml(method)}.</p>
<form method="post">${buttons.join('')}</form>
</main>
</body>
</html>
`
}
