import { expect, test } from 'vitest'
import { choiceHeaders, readerLocale } from './reader-locale.ts'

const request = (headers: Record<string, string>, query = '') =>
  new Request(`https://pay.example/pay/abc${query}`, { headers })

test.each([
  ['nothing', {}, '', null, 'en'],
  ['the browser', { 'accept-language': 'fr-FR,sn;q=0.8,nd;q=0.9' }, '', null, 'nd'],
  ['a browser with other languages', { 'accept-language': 'fr,de;q=0.5,*;q=0.1' }, '', null, 'en'],
  ['a browser that refuses one', { 'accept-language': 'sn;q=0,EN-gb;q=0.1' }, '', null, 'en'],
  ['a broken header', { 'accept-language': `;q=;,${'x'.repeat(5000)},sn` }, '', null, 'en'],
  ['the earlier choice', { 'accept-language': 'sn', cookie: 'reader_locale=nd' }, '', null, 'nd'],
  ['the shop', { 'accept-language': 'sn', cookie: 'reader_locale=nd' }, '', 'en', 'en'],
  ['the choice on this page', { cookie: 'page_locale=sn; reader_locale=nd' }, '', 'en', 'sn'],
  ['the link', { cookie: 'page_locale=sn; reader_locale=nd' }, '?lang=nd', 'en', 'nd'],
  ['an unknown choice', { cookie: 'page_locale=<b>' }, '?lang=fr', 'nd', 'nd'],
] as const)('the language is that of %s', (_source, headers, query, suggested, locale) => {
  expect(readerLocale(request(headers, query), suggested)).toBe(locale)
})

test('a choice is stored for its page and for other pages, and no other request stores a language', () => {
  const kept = (query: string, page?: string) => choiceHeaders(request({}, query), true, page).getSetCookie()
  const ofReader = expect.stringMatching(/^reader_locale=nd;.* Path=\/;.*Secure/)
  expect(kept('?lang=nd')).toEqual([ofReader])
  expect(kept('?lang=nd', '/pay/abc')).toEqual([
    ofReader,
    expect.stringMatching(/^page_locale=nd;.* Path=\/pay\/abc;.*HttpOnly.*Secure/),
  ])
  expect(kept('?lang=fr', '/pay/abc')).toEqual([])
  expect(kept('')).toEqual([])
})
