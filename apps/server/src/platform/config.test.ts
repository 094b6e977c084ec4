import { describe, expect, test } from 'vitest'
import { productionEnv } from '../../test/production-env.ts'
import { parseConfig } from './config.ts'
import { readSmtpUrl } from './mail/smtp-url.ts'
import { ConfigError } from './settings.ts'

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    parseConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('the recipient of the contact form', () => {
  test.each([
    [{}, 'no-reply@muripo.example'],
    [{ MAIL_FROM: 'Shop <hello@shop.example>' }, 'hello@shop.example'],
    [{ MAIL_FROM: 'hello@shop.example' }, 'hello@shop.example'],
    [{ MAIL_FROM: 'hello@shop.example', CONTACT_EMAIL: 'people@shop.example' }, 'people@shop.example'],
  ])('of %j is %s', (env, recipient) => {
    const { contactRecipient, contactEmail } = parseConfig(env)
    expect(contactRecipient).toBe(recipient)
    expect(contactEmail).toBe('CONTACT_EMAIL' in env ? recipient : null)
  })

  test.each([
    [{ CONTACT_EMAIL: 'nobody' }, 'CONTACT_EMAIL'],
    [{ CONTACT_EMAIL: 'a@b.co, c@d.co' }, 'CONTACT_EMAIL'],
    [{ MAIL_FROM: 'Shop' }, 'MAIL_FROM'],
  ])('cannot be %j', (env, name) => {
    expect(() => parseConfig(env)).toThrow(`${name} must hold one email address`)
  })
})

describe('the kind of environment', () => {
  test.each([
    [undefined, 'development'],
    ['', 'development'],
    ['development', 'development'],
    ['test', 'development'],
  ])('of NODE_ENV %j is %s', (NODE_ENV, mode) => {
    expect(parseConfig({ NODE_ENV }).mode).toBe(mode)
  })

  test.each(['prod', 'Production', 'PRODUCTION', 'staging', 'live', 'production,'])(
    'of NODE_ENV %j is refused in one line',
    (NODE_ENV) => {
      const problems = problemsOf({ NODE_ENV, MODE: 'live', PUBLIC_URL: 'https://pay.example', PORT: 'x' })
      expect(problems).toEqual([`NODE_ENV must be development, test or production, not "${NODE_ENV}"`])
    },
  )

  test.each([
    [{ MODE: 'live' }, 'MODE=live'],
    [
      { PUBLIC_URL: 'https://pay.example' },
      'A PUBLIC_URL with https:// (but for MURIPO_TUNNEL, the address of a tunnel in development)',
    ],
    [{ TRUSTED_PROXIES: '1' }, 'TRUSTED_PROXIES'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8' }, 'TRUSTED_PROXIES'],
  ])('%j demands production', (setting, name) => {
    for (const NODE_ENV of ['development', 'test', undefined])
      expect(problemsOf({ ...setting, NODE_ENV })).toEqual([`${name} demands NODE_ENV=production`])
    expect(problemsOf({ ...productionEnv, ...setting })).toEqual([])
  })

  test.each([
    'https://pay.example/shop',
    'https://pay.example/?a',
    'https://pay.example#a',
    'https://me@pay.example',
  ])('of PUBLIC_URL and MURIPO_TUNNEL is an origin, not %s', (address) => {
    const refused = 'must be an origin such as https://pay.example.com'
    expect(problemsOf({ ...productionEnv, PUBLIC_URL: address })).toEqual([expect.stringContaining(refused)])
    expect(problemsOf({ MURIPO_TUNNEL: address })).toEqual([expect.stringContaining(refused)])
    expect(parseConfig({ ...productionEnv, PUBLIC_URL: 'https://pay.example:8443/' }).publicUrl).toBe(
      'https://pay.example:8443',
    )
  })

  test('of MURIPO_TUNNEL is the public address of a gateway in development', () => {
    expect(parseConfig({ MURIPO_TUNNEL: 'https://abcd.tunnel.example/' }).publicUrl).toBe(
      'https://abcd.tunnel.example',
    )
    expect(problemsOf({ ...productionEnv, MURIPO_TUNNEL: 'https://abcd.tunnel.example' })).toEqual([
      'MURIPO_TUNNEL is for development: in production set PUBLIC_URL',
    ])
  })

  test.each([
    ['::', '::'],
    ['[::1]', '::1'],
    ['gateway.internal', 'gateway.internal'],
  ])('of HOST %s is the address %s', (HOST, host) => {
    expect(parseConfig({ HOST }).host).toBe(host)
  })

  test.each(['http://x', 'x:80', '[x]', 'a b'])('of HOST %s is refused', (HOST) => {
    expect(problemsOf({ HOST })).toEqual([`HOST must be an address or a name, not "${HOST}"`])
  })

  test.each(['00:01', '20:00', '24:00'])('of SETTLEMENT_CUT_OFF %s ends a business day', (cutOff) => {
    expect(parseConfig({ SETTLEMENT_CUT_OFF: cutOff }).settlementCutOff).toBe(cutOff)
  })

  test.each(['00:00', '24:01', '8:00', '20:60', '20'])('of SETTLEMENT_CUT_OFF %s is refused', (cutOff) => {
    expect(problemsOf({ SETTLEMENT_CUT_OFF: cutOff })).toEqual([
      `SETTLEMENT_CUT_OFF must be a time from 00:01 to 24:00, not "${cutOff}"`,
    ])
  })

  test('of production verifies certificates', () => {
    const off = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(problemsOf(off)).toEqual([])
    expect(problemsOf({ ...productionEnv, ...off })).toEqual([
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production: it turns off every check of a certificate',
    ])
  })
})

describe('SMTP_URL', () => {
  test.each([
    'tls.rejectUnauthorized=false',
    'tls.servername=evil.example',
    'ignoreTLS=true',
    'opportunisticTLS=true',
    'secure=false',
    'requireTls=true',
    'pool=true',
    'proxy=http://evil.example',
    'host=evil.example',
    'auth.user=x',
    'logger=true',
    'debug=true',
    'disableFileAccess=false',
    '__proto__=x',
    'requireTLS=true&ignoreTLS=true',
  ])('with the option %s is refused by the name of the option', (query) => {
    const name = query.split('&').at(-1)?.split('=')[0]
    for (const env of [{}, productionEnv])
      expect(problemsOf({ ...env, SMTP_URL: `smtps://u:secret@mail.example?${query}` })).toEqual([
        `SMTP_URL has the option "${name}", and takes requireTLS alone`,
      ])
  })

  test.each([
    ['http://mail.example', 'must be an address that starts with smtp:// or smtps://'],
    ['mail.example', 'must be an address such as smtps://user:password@host'],
    ['smtp://mail.example/inbox', 'must name a host, and nothing after it'],
    ['smtp://mail.example?requireTLS=no', 'has requireTLS, which must be true or false'],
    ['smtp://mail.example?requireTLS=true&requireTLS=false', 'has requireTLS more than once'],
    ['smtp://u:%zz@mail.example', 'has a user or a password that is not percent-encoded'],
  ])('%s is refused', (SMTP_URL, problem) => {
    expect(problemsOf({ SMTP_URL })).toEqual([`SMTP_URL ${problem}`])
  })

  test.each([
    ['smtps://mail.example', { host: 'mail.example', port: 465, secure: true, requireTLS: true }],
    [
      'smtp://mail.example/?requireTLS=true',
      { host: 'mail.example', port: 587, secure: false, requireTLS: true },
    ],
    ['smtp://[::1]:25?requireTLS=false', { host: '::1', port: 25, secure: false, requireTLS: false }],
    [
      'smtps://gate%40way:p%3Ass@mail.example:2465',
      {
        host: 'mail.example',
        port: 2465,
        secure: true,
        requireTLS: true,
        auth: { user: 'gate@way', pass: 'p:ss' },
      },
    ],
  ])('%s is read', (value, server) => {
    expect(problemsOf({ SMTP_URL: value })).toEqual([])
    expect(readSmtpUrl(value)).toEqual(server)
  })
})

describe('the mode of the money', () => {
  test.each([
    [{}, 'test'],
    [productionEnv, 'live'],
    [{ ...productionEnv, MODE: 'test' }, 'test'],
  ])('of %j', (env, mode) => {
    expect(parseConfig(env).keyMode).toBe(mode)
  })

  test('is live in production alone', () => {
    expect(() => parseConfig({ MODE: 'live' })).toThrow('MODE=live demands NODE_ENV=production')
  })

  test('is one of two', () => {
    expect(() => parseConfig({ MODE: 'Live' })).toThrow('MODE must be test or live, not "Live"')
  })
})
