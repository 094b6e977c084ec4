import type { CheckoutView, OfferedMethod } from '@muripo/contract/checkout'
import { statusReasons } from '@muripo/contract/payments'
import { momentOf } from '@muripo/locales/moment'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Chooser } from './chooser.tsx'
import { failureKey } from './failure.ts'
import { codeGroups } from './next-step.tsx'
import { payersPage } from './payers-page.tsx'
import { movesOf, refreshOf } from './refresh.ts'
import { followScript } from './scripts.ts'
import { payerText } from './text.tsx'
import { Waiting } from './waiting.tsx'

const view = (part: Partial<CheckoutView>) =>
  ({
    stage: 'choose',
    revision: 'r1',
    methods: [],
    continueUrl: null,
    continues: false,
    ...part,
  }) as CheckoutView
const shopUrl = 'https://shop.example/?a=1'

test.each(['waiting', 'action'] as const)('the page follows the payment: %s', (stage) => {
  expect(movesOf(view({ stage }))).toEqual({ revision: 'r1', redirects: false })
})
test('a page with a link to a provider reloads seldom, because a reload would end the navigation', () => {
  const step = { type: 'redirect', url: 'https://bank.example/', until: null } as const
  const moves = movesOf(view({ stage: 'action', attempt: { step } as never }))
  expect(moves).toEqual({ revision: 'r1', redirects: true })
  expect(moves && refreshOf(moves)).toBe('60')
})
test('the page of a payment that was just paid continues at the shop', () => {
  const paid = view({ stage: 'completed', continueUrl: shopUrl })
  expect(movesOf({ ...paid, continues: true })).toEqual({ next: shopUrl })
  expect(movesOf(paid)).toBeNull()
})
test.each([true, false])(
  'without an answer of the provider, the page announces the receipt where it is mailed: %s',
  (mailsReceipt) => {
    const attempt = { method: 'ecocash', phone: '077 *** 4567', isSilent: true, prompt: null } as const
    const silent = view({ stage: 'waiting', mailsReceipt, attempt: attempt as never })
    const html = renderToStaticMarkup(createElement(Waiting, { view: silent, intent: null, isStill: false }))
    expect(html.includes('The receipt is also sent to the email address')).toBe(mailsReceipt)
  },
)
test.each([
  { status: 404 as const, title: 'This payment link does not exist', links: 0 },
  { status: 429 as const, title: 'Please wait a moment', links: 0 },
  { status: 500 as const, title: 'Something went wrong on our side', links: 1 },
])(
  'the page of an error links to its own address where a reload may help: $status',
  async ({ status, title, links }) => {
    const request = new Request('https://gateway.test/pay/token')
    const page = payersPage(
      { kind: 'trouble', status },
      { request, origin: 'https://gateway.test', nonce: '1' },
    )
    expect(page.status).toBe(status)
    const html = await page.text()
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(html.split('<a class="button" href="?">Try again</a>')).toHaveLength(links + 1)
  },
)
test.each(['choose', 'refused', 'cancelled', 'expired', 'refunded', 'under_review'] as const)(
  'the page stays still: %s',
  (stage) => {
    expect(movesOf(view({ stage, continueUrl: shopUrl }))).toBeNull()
  },
)
test('the page with the methods follows the payment while no provider can be reached', () => {
  const methods = [false, true].map(
    (isDown) => ({ method: 'visa', needsPhone: false, isDown, limit: null }) as const,
  )
  expect(movesOf(view({ methods }))).toBeNull()
  expect(movesOf(view({ methods: methods.filter(({ isDown }) => isDown) }))).toMatchObject({ revision: 'r1' })
})
test('the only usable method is chosen', () => {
  const chosen = (areDown: readonly boolean[]) => {
    const methods = (['ecocash', 'visa'] as const).map(
      (method, index) =>
        ({ method, needsPhone: false, isDown: areDown[index] ?? false, limit: null }) as const,
    )
    const html = renderToStaticMarkup(
      createElement(Chooser, {
        view: view({ methods, currency: 'USD', amount: '5.00', shopName: 'Shop' }),
        refusal: undefined,
      }),
    )
    return [...html.matchAll(/<input[^>]* value="(\w+)"[^>]*\/>/g)]
      .filter(([input]) => input.includes('checked'))
      .map(([, method]) => method)
  }
  expect(chosen([true, false])).toEqual(['visa'])
  expect(chosen([false, false])).toEqual([])
  expect(chosen([true, true])).toEqual([])
})
test('a method with another limit names it, cannot be chosen, and is not followed', () => {
  const visa = { method: 'visa', needsPhone: false, isDown: false } as const
  const htmlOf = (limit: OfferedMethod['limit']) => {
    const limited = view({
      methods: [{ ...visa, limit }],
      currency: 'USD',
      amount: '600.00',
      shopName: 'Shop',
    })
    expect(movesOf(limited)).toBeNull()
    return renderToStaticMarkup(createElement(Chooser, { view: limited, refusal: undefined }))
  }
  const most = htmlOf({ kind: 'most', amount: '500.00' })
  expect(most).toContain('For USD 500.00 at most')
  expect(most).toContain('Please ask Shop how else you can pay USD 600.00.')
  expect(most).toMatch(/<input type="radio"[^>]* disabled=""/)
  expect(most).not.toContain('<button')
  expect(htmlOf({ kind: 'least', amount: '700.00' })).toContain('For USD 700.00 or more')
  expect(htmlOf(null)).toContain('<button')
})
test('without script the page reloads every ten seconds, or continues at the shop', () => {
  expect(refreshOf({ revision: 'r1' })).toBe('10')
  expect(refreshOf({ next: shopUrl })).toBe(`5;url=${shopUrl}`)
})
test('the script is smaller than a kilobyte', () => {
  expect(Buffer.byteLength(followScript)).toBeLessThan(1000)
})
const t = payerText('en')

test('values are inserted into a text, and never parsed as a part of it', () => {
  expect(t('title', { shop: 'A {price} <b>' })).toBe('Pay A {price} <b>')
  expect(t('waitingForResult', { payee: 'bank', name: '' })).toContain('from your bank. If you')
  expect(t('waitingForResult', { payee: 'wallet', name: 'EcoCash' })).toContain('from EcoCash. If you')
})
test('the time of a receipt is in the time zone of Zimbabwe', () => {
  expect(t('moment', momentOf(new Date('2026-11-23T22:30:00Z')))).toBe('24 November 2026 at 00:30')
})
test('each reason for a failure has a sentence without jargon, and without a phone where none was used', () => {
  for (const reason of [...statusReasons, null]) {
    expect(t(failureKey(reason, true))).toMatch(/^[A-Z][^_]+\.$/)
    expect(t(failureKey(reason, false))).toMatch(/^[A-Z][^_]+\.$/)
    expect(t(failureKey(reason, false))).not.toMatch(/phone|PIN|wallet/)
  }
})
test.each([
  ['701234567', ['701', '234', '567']],
  ['70123456', ['701', '234', '56']],
  ['7012345', ['7012', '345']],
  ['70123456781', ['701', '234', '567', '81']],
  ['7012', ['7012']],
  ['AB', ['AB']],
  ['', []],
])('a code is divided into groups: %s', (code, groups) => {
  expect(codeGroups(code)).toEqual(groups)
})
