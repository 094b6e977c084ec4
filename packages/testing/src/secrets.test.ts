import { describe, expect, test } from 'vitest'
import { Secrets } from './secrets.ts'

const password = 'a "long" sentence/with ümlauts'

describe('a text that holds a secret', () => {
  test.each([
    ['as it is', password],
    ['in JSON', JSON.stringify({ password })],
    ['in an address', `/v1/x?password=${encodeURIComponent(password)}`],
    ['in hexadecimal', Buffer.from(password).toString('hex')],
    ['in base64', Buffer.from(password).toString('base64')],
  ])('is found out: %s', (_how, reported) => {
    const secrets = new Secrets()
    secrets.add('password', password)
    secrets.add('other', 'not in there')
    expect(secrets.foundIn(`a line\n{"level":30,"msg":"so much: ${reported}"}\nand another`)).toEqual([
      'password',
    ])
    expect(secrets.foundIn(reported)).toEqual(['password'])
  })

  test('is found out among many others, at either end', () => {
    const secrets = new Secrets()
    for (let n = 0; n < 1000; n += 1) secrets.add(`key ${n}`, `key-${n}-of-an-application`)
    expect(secrets.foundIn(`key-7-of-an-application${'x'.repeat(1000)}key-999-of-an-application`)).toEqual([
      'key 7',
      'key 999',
    ])
    expect(secrets.foundIn('key-1000-of-an-application')).toEqual([])
  })
})

describe('a code', () => {
  const secrets = new Secrets()
  secrets.add('code', '004213')

  test.each(['code 004213', '"otp":"004213"', 'subject: 004213.', 'otp=004213&x', '(004213)'])(
    'is found in %s',
    (text) => {
      expect(secrets.foundIn(text)).toEqual(['code'])
    },
  )

  test.each(['1004213', '0042137', '12.004213', 'otp_01a004213z', '004 213'])(
    'is not found in %s',
    (text) => {
      expect(secrets.foundIn(text)).toEqual([])
    },
  )
})

test('the line of a secret is shown with it', () => {
  const secrets = new Secrets()
  secrets.add('code', '004213')
  expect(secrets.linesIn('one 1004213\ntwo 004213.\nthree')).toEqual(['code: two 004213.'])
})

test('secrets of calls are collected by field name at any depth', () => {
  const secrets = new Secrets()
  secrets.gather({
    tokens: [{ authToken: 'token-of-somebody', expiresIn: 600 }],
    email: 'nobody@example.com',
  })
  secrets.gather({ password: 'password', payment_url: 'https://pay.example/pay/the-part-that-counts' })
  secrets.gather(null)
  expect(secrets.size).toBe(2)
  expect(secrets.foundIn('nobody@example.com token-of-somebody https://pay.example/')).toEqual(['authToken'])
  expect(secrets.foundIn('/pay/the-part-that-counts')).toEqual(['payment_url'])
})

test('nothing is too short to be looked for without a word', () => {
  expect(() => new Secrets().add('code', '')).toThrow('no code to look for')
})
