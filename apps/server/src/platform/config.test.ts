import { describe, expect, test } from 'vitest'
import { productionEnv } from '../../test/production-env.ts'
import { parseConfig } from './config.ts'

describe('the provider in production', () => {
  test.each(['https://wallet.example/v1', 'http://127.0.0.1:8443', 'http://[::1]:8443', 'http://localhost'])(
    'may be at %s',
    (url) => {
      expect(parseConfig({ ...productionEnv, ECOCASH_URL: url }).ecocash.baseUrl).toBe(url)
    },
  )

  test.each(['http://wallet.example', 'http://127.0.0.1.wallet.example', 'http://10.0.0.5:8080'])(
    'is not called in the clear at %s',
    (url) => {
      expect(() => parseConfig({ ...productionEnv, ECOCASH_URL: url })).toThrow(
        'ECOCASH_URL must start with https://',
      )
    },
  )
})

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
