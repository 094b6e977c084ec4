import { describe, expect, test } from 'vitest'
import { momentText } from '../../platform/mail/letter.ts'
import { browserName } from './browser-name.ts'
import { whereFrom } from './mail-words.ts'
import { newDeviceMail } from './new-device-mail.ts'
import { passwordChangedMail, passwordSetMail } from './password-changed-mail.ts'
import { passwordResetMail } from './password-reset-mail.ts'
import { signInMail } from './sign-in-mail.ts'

const visitor = {
  address: '203.0.113.7',
  requestId: 'request-1',
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  device: null,
}
const at = new Date('2026-11-20T22:30:00.000Z')
const occasion = (timeZone = 'Africa/Harare') => ({
  when: momentText(at, timeZone),
  from: whereFrom(visitor),
})

describe('the mail with a code that sets a password', () => {
  const mail = passwordResetMail('a@b.co', 'Shop 999999', '004213')

  test('carries the code in its subject, and before anything else in its text and its page', () => {
    expect(mail.subject).toBe('Your Muripo password reset code: 004213')
    expect(mail.text.startsWith('004213 is your Muripo password reset code.\n\nHello Shop 999999,')).toBe(
      true,
    )
    expect(/\b\d{6}\b/.exec(mail.html)?.[0]).toBe('004213')
  })

  test('says what the code is for, how long it lives, that nobody asks for it and what to do with an unwanted one', () => {
    for (const words of [/set a new password/, /10 minutes/, /never asks/, /did not ask for it/]) {
      expect(mail.text).toMatch(words)
      expect(mail.html).toMatch(words)
    }
  })

  test('cannot be taken for a sign-in code', () => {
    expect(mail.text + mail.html).not.toContain('sign-in code')
    expect(signInMail('a@b.co', 'T', '004213').text).not.toContain('reset')
  })

  test('looks like every other mail', () => {
    const frame = (html: string) => html.replace(/(<title>|<p[^>]*>)[^<]*/g, '$1')
    expect(frame(mail.html)).toBe(frame(signInMail('a@b.co', 'T', '004213').html))
  })
})

describe.each([
  {
    way: 'with a mailed code',
    mail: passwordSetMail,
    says: [/with a code that we sent/, /can read your mail/],
  },
  { way: 'with the old one', mail: passwordChangedMail, says: [/in the settings/, /knew your password/] },
])('the notice of a new password, set $way', ({ mail, says }) => {
  const changed = (fullname: string, timeZone?: string) => mail('a@b.co', fullname, occasion(timeZone))

  test('says when, in the time zone of the merchant', () => {
    expect(changed('T').text).toContain('21 November 2026 at 00:30 (Africa/Harare)')
    expect(changed('T', 'Europe/London').text).toContain('20 November 2026 at 22:30 (Europe/London)')
  })

  test('says what to do when it was somebody else', () => {
    for (const words of [/If this was not you/, ...says]) expect(changed('T').text).toMatch(words)
  })

  test('escapes a name, and links none', () => {
    expect(changed('<b>T').html).toContain('Hello &lt;b&gt;T,')
    expect(changed('evil.example').text).not.toContain('evil')
  })
})

describe('the notice of a new device', () => {
  const mail = newDeviceMail('a@b.co', 'T', occasion())

  test('says when, with which browser, from where, and what to do when it was somebody else', () => {
    expect(mail.text).toContain(
      '21 November 2026 at 00:30 (Africa/Harare), from Chrome on Windows, at the internet address 203.0.113.7',
    )
    expect(mail.text).toMatch(/If it was not/)
  })

  test('cannot be taken for a mail with a code', () => {
    expect(mail.text + mail.html).not.toMatch(/\b\d{6}\b/)
  })

  test('is foretold by the mail with the code, for a device that is not known alone', () => {
    expect(signInMail('a@b.co', 'T', '004213', whereFrom(visitor)).text).toContain(
      'a device that has not signed in to your account before: Chrome on Windows',
    )
    expect(signInMail('a@b.co', 'T', '004213').text).not.toContain('has not signed in')
  })
})

describe('the name of a browser', () => {
  test.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['', 'an unknown browser'],
    ['curl/8.0', 'an unknown browser'],
    ['Call +263771234567 at once, https://evil.example', 'an unknown browser'],
    ['evil.example/1.0', 'an unknown browser'],
    ['\u0000\ud800'.repeat(4000), 'an unknown browser'],
  ])('of %j is %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name)
  })
})
