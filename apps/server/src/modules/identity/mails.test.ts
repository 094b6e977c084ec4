import { describe, expect, test } from 'vitest'
import { passwordChangedMail } from './password-changed-mail.ts'
import { passwordResetMail } from './password-reset-mail.ts'
import { signInMail } from './sign-in-mail.ts'

const at = new Date('2026-11-20T22:30:00.000Z')
const changed = (fullname: string, timeZone = 'Africa/Harare') =>
  passwordChangedMail('a@b.co', fullname, { at, timeZone })

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

describe('the notice of a new password', () => {
  test('says when, in the time zone of the merchant', () => {
    expect(changed('T').text).toContain('21 November 2026 at 00:30 (Africa/Harare)')
    expect(changed('T', 'Europe/London').text).toContain('20 November 2026 at 22:30 (Europe/London)')
  })

  test('says what to do when it was somebody else', () => {
    expect(changed('T').text).toMatch(/If this was not you/)
  })

  test('escapes a name, and links none', () => {
    expect(changed('<b>T').html).toContain('Hello &lt;b&gt;T,')
    expect(changed('evil.example').text).not.toContain('evil')
  })
})
