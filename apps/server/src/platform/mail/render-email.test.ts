import { describe, expect, test } from 'vitest'
import type { EmailContent } from './email-content.ts'
import { renderEmail } from './render-email.ts'

const content: EmailContent = {
  to: 'a@b.co',
  subject: 'An email: 004213',
  heading: 'An email',
  code: '004213',
  fullname: 'Tendai',
  lines: ['One line.', 'Another line.'],
}
const named = (fullname: string) => renderEmail({ ...content, fullname })

describe('an email', () => {
  test('has the same content as text and as a page', () => {
    const { text, html } = renderEmail({
      ...content,
      warning: 'Stop here.',
      occasion: { when: 'today', device: 'Chrome', network: '203.0.113.x' },
      facts: [['Bank', 'CBZ Bank']],
      quote: 'first\n  second',
    })
    expect(text).toBe(
      `An email

004213

Hello Tendai,

Stop here.

When: today
Device: Chrome
Internet address: 203.0.113.x
Bank: CBZ Bank

One line.

Another line.

first
  second`,
    )
    for (const part of text.split(/\n+|: /)) expect(html).toContain(part)
  })

  test('needs no picture, no style sheet, no script and no other resource', () => {
    const { html } = renderEmail(content)
    const withoutDoctype = html.replace(/<!DOCTYPE[^>]*>/, '')
    expect(withoutDoctype).not.toMatch(/<(img|link|script|iframe)|url\(|https?:/i)
  })

  test('does not treat six digits in a name as the code', () => {
    const { text, html } = named('Shop 999999')
    for (const part of [text, html]) expect(/\b\d{6}\b/.exec(part)?.[0]).toBe('004213')
  })

  test('escapes a name', () => {
    const { text, html } = named(`<img src=x> & "Sons'`)
    expect(html).toContain('Hello &lt;img src=x&gt; &amp; &quot;Sons&#x27;,')
    expect(html).not.toContain('<img')
    expect(text).toContain(`Hello <img src=x> & "Sons',`)
  })

  test.each(['see https://evil.example', 'evil.example', 'Win\nwww.evil.example now', 'me@evil.example'])(
    'leaves out a name that a mail program would link: %s',
    (name) => {
      const { text, html } = named(name)
      expect(text + html).not.toContain('evil')
    },
  )

  test.each(['Chipo Ndlovu', 'Ñandú Łukasz', '商店', 'J. R. Moyo'])('greets %s by name', (name) => {
    expect(named(name).text).toContain(`Hello ${name},`)
  })

  test.each([
    '\r\nBcc: all@example.com',
    '\nSubject: free money',
    '\u2028Bcc: all',
    '\u0085Bcc: all',
    '\r\n\r\n<p>',
  ])('ends no header at a line end in a value: %j', (attack) => {
    const { to, subject, replyTo } = renderEmail({
      ...content,
      to: `a@b.co${attack}`,
      subject: `An email${attack}`,
      replyTo: `c@d.co${attack}`,
    })
    for (const header of [to, subject, replyTo]) expect(header).toMatch(/^[\P{C}]+$/u)
    for (const header of [to, subject, replyTo]) expect(header).not.toMatch(/[\p{Zl}\p{Zp}]/u)
  })

  test('shows its own texts after another email with the same parts was rendered', () => {
    const facts = (value: string) => ({ ...content, facts: [['Bank', value] as const] })
    const first = renderEmail({ ...facts('CBZ Bank'), code: '111111', lines: ['First.', 'Of all.'] })
    const second = renderEmail({ ...facts('FBC Bank'), code: '222222', lines: ['Second.', 'To none.'] })
    for (const part of [second.html, second.text]) {
      expect(part).toMatch(/222222.*FBC Bank.*Second\..*To none\./s)
      expect(part).not.toMatch(/111111|CBZ|First|Of all/)
    }
    expect(first.text).toMatch(/111111.*CBZ Bank.*First\..*Of all\./s)
  })

  test.each(['\uE0001\uE001', '\uE000', '$&$1$`', '&lt;b&gt;', '<b>', '" onload="x'])(
    'shows a text unchanged: %j',
    (wrote) => {
      const { text, html } = renderEmail({
        ...content,
        facts: [['Bank', wrote]],
        lines: [wrote],
        quote: wrote,
      })
      expect(text.split(wrote)).toHaveLength(4)
      expect(text.match(/004213/g)).toHaveLength(1)
      expect(html).not.toContain('<b>')
      expect(html).not.toContain('" onload')
      const escaped = wrote.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      expect(html.split(escaped.replaceAll('"', '&quot;'))).toHaveLength(4)
    },
  )

  test('renders in a few milliseconds', () => {
    const tookMs = Array.from({ length: 20 }, () => {
      const startedAt = performance.now()
      renderEmail(content)
      return performance.now() - startedAt
    })
    expect(Math.min(...tookMs)).toBeLessThan(50)
  })
})
