import { describe, expect, test } from 'vitest'
import { renderEmail } from '../../platform/mail/render-email.ts'
import { browserName, occasion } from './devices/visitor.ts'
import {
  newDeviceMail,
  passwordChangedMail,
  passwordResetMail,
  passwordSetMail,
  signInMail,
  unprovenResetMail,
} from './emails.ts'

const visitor = {
  address: '203.0.113.7',
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}
const at = new Date('2026-11-20T22:30:00.000Z')
const request = {
  to: 'a@b.co',
  fullname: 'Shop 999999',
  code: '004213',
  occasion: occasion(visitor, at, 'Africa/Harare'),
  isNewDevice: false,
  isProven: true,
  locale: 'en' as const,
}
const linked = {
  ...request,
  link: 'https://gateway.test/auth/password/reset#token-of-43-characters',
}
const signIn = renderEmail(signInMail(request))
const reset = renderEmail(passwordResetMail(linked))
const owner = { email: 'a@b.co', fullname: 'T', timeZone: 'Africa/Harare', locale: null }
const set = (timeZone: string) => renderEmail(passwordSetMail(owner, occasion(visitor, at, timeZone)))
const changed = renderEmail(passwordChangedMail(owner, request.occasion))
const newDevice = renderEmail(newDeviceMail(owner, request.occasion))

describe.each([
  ['signs in', signIn, 'Your Muripo sign-in code', /sign-in page/, /somebody knows your password/],
  ['sets a password', reset, 'Your Muripo password reset code', /set a new password/, /did not ask for it/],
] as const)('the mail with a code that %s', (_what, mail, title, purpose, unwanted) => {
  test('has the code before any name in its text and its page, and not where a locked screen shows it', () => {
    expect(mail.subject).toBe(title)
    // The preview of a mail is the hidden text before its page.
    expect(mail.html.slice(0, mail.html.indexOf('<h1'))).not.toContain('004213')
    expect(mail.text.startsWith(`${title}\n\n004213\n\nHello Shop 999999,`)).toBe(true)
    expect(/\b\d{6}\b/.exec(mail.html)?.[0]).toBe('004213')
  })

  test('names its purpose, its lifetime, that nobody requests it, and the next step for an unwanted one', () => {
    for (const words of [purpose, /10 minutes/, /never asks/, unwanted]) {
      expect(mail.text).toMatch(words)
      expect(mail.html).toMatch(words)
    }
  })

  test('describes the request: its time, its browser and its approximate address', () => {
    expect(mail.text).toContain(
      'When: 21 November 2026 at 00:30 (Africa/Harare)\nDevice: Chrome on Windows\nInternet address: 203.0.113.x\n',
    )
    expect(mail.text + mail.html).not.toContain(visitor.address)
  })
})

test('the mail that resets a password has a link to its page, in its text too', () => {
  expect(reset.html).toContain(`href="${linked.link}"`)
  expect(reset.text).toContain(linked.link)
  expect(reset.text).toMatch(/link is good for 60 minutes and works once/)
  expect(signIn.html).not.toContain('href')
})

test('the emails of an account without any sign-in omit the chosen name and mention it', () => {
  const unproven = renderEmail(unprovenResetMail(linked))
  expect(unproven.subject).toBe('Your Muripo account is not confirmed')
  expect(/\b\d{6}\b/.exec(unproven.text)?.[0]).toBe('004213')
  expect(unproven.text).toMatch(/the account and its document are removed/i)
  expect(unproven.text).toContain(linked.link)
  expect(unproven.text + unproven.html).not.toContain('Shop')
  expect(renderEmail(signInMail({ ...request, isProven: false })).text).toMatch(
    /If you did not open it, do nothing/,
  )
})

test.each([
  ['sn', 'Kodhi yenyu yekupinda muMuripo', '21 Mbudzi 2026'],
  ['nd', 'Ikhodi yakho yokungena kuMuripo', '21 Lwezi 2026'],
] as const)(
  'the email with a code is in the language of the page that requested it: %s',
  (locale, title, day) => {
    const mail = renderEmail(
      signInMail({ ...request, locale, occasion: occasion(visitor, at, 'Africa/Harare', locale) }),
    )
    expect(mail.subject).toBe(title)
    expect(mail.html).toContain(`lang="${locale}"`)
    expect(mail.text).toContain(day)
    expect(mail.text).not.toMatch(/sign-in page|never asks|minutes/)
  },
)

test('no two emails have the same text', () => {
  expect(reset.text + reset.html).not.toContain('sign-in code')
  expect(signIn.text + signIn.html).not.toContain('reset')
  for (const mail of [newDevice, signIn]) expect(mail.text).not.toContain('changed')
  expect(newDevice.subject + newDevice.text + newDevice.html).not.toMatch(/\b\d{6}\b/)
})

test.each([
  ['sign-in', signInMail],
  ['reset', passwordResetMail],
] as const)('the email with a %s code warns of an unknown device, and of no other', (_what, mailOf) => {
  const warning = /from a device that has not signed in to your account before/
  const [warned, calm] = [renderEmail(mailOf({ ...linked, isNewDevice: true })), renderEmail(mailOf(linked))]
  for (const part of [warned.text, warned.html]) expect(part).toMatch(warning)
  for (const part of [calm.text, calm.html]) expect(part).not.toMatch(warning)
})

test.each([set('Africa/Harare'), set('Europe/London'), changed, newDevice])(
  'a notice has the time in the merchant’s zone, the address, and the next step after a change by somebody else',
  (notice) => {
    const { text } = notice
    expect(text).toMatch(
      /When: (21 November 2026 at 00:30 \(Africa\/Harare\)|20 November 2026 at 22:30 \(Europe\/London\))\n/,
    )
    expect(text).toContain('Device: Chrome on Windows\nInternet address: 203.0.113.x\n')
    expect(text).toMatch(/If (this|it) was not/)
  },
)

test('the notice of a new password names the way and the effects', () => {
  expect(set('Africa/Harare').text).toMatch(/with a code or a link that we sent(.|\n)*can read your mail/)
  expect(changed.text).toMatch(/in the settings(.|\n)*knew your password/)
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
