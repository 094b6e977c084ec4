import { describe, expect, test } from 'vitest'
import { signInMail } from './sign-in-mail.ts'

describe('the mail with a sign-in code', () => {
  test('carries the code in its subject, its text and its page', () => {
    const mail = signInMail('a@b.co', 'Tendai', '004213')
    expect(mail.subject).toBe('Your Muripo sign-in code: 004213')
    for (const part of [mail.text, mail.html]) expect(/\b\d{6}\b/.exec(part)?.[0]).toBe('004213')
  })

  test('says what the code is for, how long it lives and that nobody asks for it', () => {
    const { text } = signInMail('a@b.co', 'Tendai', '004213')
    expect(text).toMatch(/sign-in page/)
    expect(text).toMatch(/10 minutes/)
    expect(text).toMatch(/never asks/)
  })

  test('does not take six digits in a name for the code', () => {
    const mail = signInMail('a@b.co', 'Shop 999999', '004213')
    for (const part of [mail.text, mail.html]) expect(/\b\d{6}\b/.exec(part)?.[0]).toBe('004213')
  })

  test('escapes a name', () => {
    const { html } = signInMail('a@b.co', `<img src=x> & "Sons'`, '004213')
    expect(html).toContain('Hello &lt;img src=x&gt; &amp; &quot;Sons&#39;,')
    expect(html).not.toContain('<img')
  })

  test.each(['see https://evil.example', 'evil.example', 'Win\nwww.evil.example now', 'me@evil.example'])(
    'leaves out a name that a mail program would link: %s',
    (name) => {
      const mail = signInMail('a@b.co', name, '004213')
      expect(mail.text + mail.html).not.toContain('evil')
    },
  )

  test.each(['Chipo Ndlovu', 'Ñandú Łukasz', '商店', 'J. R. Moyo'])('greets %s by name', (name) => {
    expect(signInMail('a@b.co', name, '004213').text).toContain(`Hello ${name},`)
  })
})
