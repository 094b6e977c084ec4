import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'

describe('who reads the contact form', () => {
  test.each([
    [{}, 'no-reply@muripo.example'],
    [{ MAIL_FROM: 'Shop <hello@shop.example>' }, 'hello@shop.example'],
    [{ MAIL_FROM: 'hello@shop.example' }, 'hello@shop.example'],
    [{ MAIL_FROM: 'hello@shop.example', CONTACT_EMAIL: 'people@shop.example' }, 'people@shop.example'],
  ])('of %j is %s', (env, contactEmail) => {
    expect(parseConfig(env).contactEmail).toBe(contactEmail)
  })

  test.each([
    [{ CONTACT_EMAIL: 'nobody' }, 'CONTACT_EMAIL'],
    [{ CONTACT_EMAIL: 'a@b.co, c@d.co' }, 'CONTACT_EMAIL'],
    [{ MAIL_FROM: 'Shop' }, 'MAIL_FROM'],
  ])('cannot be %j', (env, name) => {
    expect(() => parseConfig(env)).toThrow(`${name} must hold one email address`)
  })
})
