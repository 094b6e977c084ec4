import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../../test/test-ctx.ts'
import { createHeartbeat } from '../../../platform/jobs/heartbeat.ts'
import { registryOf } from '../../providers/registry.ts'
import { makeSiteApp } from '../factory.ts'

const written = { name: 'Rudo Dube', email: 'rudo@shop.example', message: 'How do I start?\nThank you.' }

describe('POST /v1/contact', () => {
  let ctx: TestCtx
  let app: FastifyInstance
  let count = 0
  let address: string

  beforeAll(async () => {
    ctx = await testCtx({ RATE_LIMITS: '1', CONTACT_EMAIL: 'people@gateway.example' })
    app = makeSiteApp(ctx, registryOf([]), createHeartbeat(ctx.clock))
  })
  afterAll(async () => {
    await app.close()
    await ctx.close()
  })
  beforeEach(() => {
    ctx.mails.length = 0
    count += 1
    address = `203.0.113.${count}`
  })

  const post = async (change: object = {}, remoteAddress = address) => {
    const payload = { ...written, ...change }
    const response = await app.inject({ method: 'POST', url: '/v1/contact', payload, remoteAddress })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }

  test('mails the message to the operators of this gateway, with the visitor as the reply address', async () => {
    const { status, body } = await post()
    expect(status).toBe(202)
    expect(body).toEqual({ message: 'Thank you. Your message is on its way, and we will answer by email.' })
    expect(ctx.mails).toEqual([
      {
        to: 'people@gateway.example',
        replyTo: 'rudo@shop.example',
        subject: 'Contact form: Rudo Dube',
        text: 'A message through the contact form\n\nRudo Dube <rudo@shop.example> wrote:\n\nHow do I start?\nThank you.',
        html: expect.stringContaining('How do I start?\nThank you.'),
      },
    ])
  })

  test('refuses an address of 60,000 dots, and counts calls with a refused body', async () => {
    expect((await post({ email: `a@${'.'.repeat(60_000)}@` })).status).toBe(422)
    for (let calls = 1; calls < 30; calls += 1) expect((await post({ email: 'a@' })).status).toBe(422)
    expect((await post({ email: 'a@' })).status).toBe(429)
  })

  test.each([
    ['name', 'Rudo\r\nBcc: all@example.com'],
    ['name', 'Rudo\nSubject: free money'],
    ['name', 'Rudo\u2028Bcc: all@example.com'],
    ['name', 'Rudo\u0085Bcc: all@example.com'],
  ])('keeps line breaks out of every header: %s %j', async (field, value) => {
    expect((await post({ [field]: value })).status).toBe(202)
    const { to, replyTo, subject } = ctx.mails[0] ?? {}
    expect(to).toBe('people@gateway.example')
    expect(replyTo).toBe(written.email)
    expect(subject).toMatch(/^Contact form: Rudo [\P{C}]+$/u)
  })

  test.each([
    'rudo@shop.example\r\nBcc: all@example.com',
    'rudo@shop.example,all@example.com',
    'Rudo <rudo@shop.example>',
    'rudo@shop.example;all@example.com',
    '"a b"@shop.example',
  ])('accepts one plain address for the reply, not %j', async (email) => {
    const { status, body } = await post({ email })
    expect(status).toBe(422)
    expect(body.errors).toContainEqual({
      field: 'email',
      message: 'Please enter a valid email',
      reason: { code: 'emailInvalid', values: {} },
    })
    expect(ctx.mails).toEqual([])
  })

  test('removes a name from the text that a mail program would link', async () => {
    expect((await post({ name: 'Sign in at evil.example' })).status).toBe(202)
    expect(ctx.mails[0]?.text).toContain('form\n\n<rudo@shop.example> wrote:')
    expect(ctx.mails[0]?.html).not.toContain('evil.example')
  })

  test('shows the text of a visitor as plain text', async () => {
    await post({ name: '<img src=x>', message: '<script>alert(1)</script> & "more"' })
    expect(ctx.mails[0]?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;')
    expect(ctx.mails[0]?.html).not.toMatch(/<(img|script)/)
  })

  test('accepts the characters of text areas and spreadsheets', async () => {
    expect((await post({ message: 'one\r\ntwo\tthree\rfour' })).status).toBe(202)
    expect(ctx.mails[0]?.text).toMatch(/one\ntwo {2}three\nfour$/)
  })

  const reasonOf = (code: string, max?: number) => ({
    reason: { code, values: max === undefined ? {} : { max } },
  })
  test.each([
    ['no name', { name: undefined }, 'name', 'Name is required', {}],
    ['a blank name', { name: ' \n ' }, 'name', 'Name is required', reasonOf('senderMissing')],
    [
      'a long name',
      { name: 'x'.repeat(201) },
      'name',
      'Must be at most 200 characters',
      reasonOf('tooLong', 200),
    ],
    ['no email', { email: undefined }, 'email', 'Email is required', {}],
    ['a blank message', { message: '\n\n' }, 'message', 'Message is required', reasonOf('messageMissing')],
    [
      'a long message',
      { message: 'x'.repeat(5001) },
      'message',
      'Must be at most 5000 characters',
      reasonOf('tooLong', 5000),
    ],
    [
      'a NUL',
      { message: 'a\u0000b' },
      'message',
      'Must not contain control characters',
      reasonOf('controlCharacters'),
    ],
    ['an unknown field', { to: 'a@b.co' }, 'to', 'Unknown field "to"', {}],
  ])('names the field of %s', async (_what, change, field, message, reason) => {
    const { status, body } = await post(change)
    expect(status).toBe(422)
    expect(body.errors).toContainEqual({ field, message, ...reason })
    expect(ctx.mails).toEqual([])
  })

  test('accepts five messages an hour of one address, and returns the time of the next', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect((await post()).status).toBe(202)
      ctx.clock.advance(60_000)
    }
    expect(await post()).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        message: 'Please wait 55 minutes before you send another message',
      },
      headers: {
        'retry-after': String(55 * 60),
        'ratelimit-policy': '"contact";q=5;w=3600',
        ratelimit: `"contact";r=0;t=${55 * 60}`,
      },
    })
    expect(ctx.mails).toHaveLength(5)
    expect((await post({}, '198.51.100.1')).status).toBe(202)
    ctx.clock.advance(55 * 60_000)
    expect((await post()).status).toBe(202)
  })

  test('counts a whole IPv6 network as one', async () => {
    for (let n = 0; n < 5; n += 1) expect((await post({}, `2001:db8:7:7::${n}`)).status).toBe(202)
    expect((await post({}, '2001:db8:7:7:ffff::1')).status).toBe(429)
    expect((await post({}, '2001:db8:7:8::1')).status).toBe(202)
  })

  test('accepts five of 64 concurrent messages', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => post()))
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(202),
      ...Array(59).fill(429),
    ])
    expect(ctx.mails).toHaveLength(5)
  })

  test('stores no address and no message', async () => {
    await post()
    const rows = await ctx.db.kysely.selectFrom('rate_limits').selectAll().execute()
    const stored = JSON.stringify(rows) + rows.map((row) => row.key.toString('latin1')).join()
    for (const word of [address, written.email, 'start?']) expect(stored).not.toContain(word)
  })

  test('does not count a message that could not be queued', async () => {
    const mailer = { send: () => Promise.reject(new Error('no queue')) }
    const broken = makeSiteApp({ ...ctx, mailer }, registryOf([]), createHeartbeat(ctx.clock))
    const response = await broken.inject({
      method: 'POST',
      url: '/v1/contact',
      payload: written,
      remoteAddress: address,
    })
    expect(response.statusCode).toBe(500)
    await broken.close()
    const statuses: number[] = []
    for (let messages = 1; messages <= 6; messages += 1) statuses.push((await post()).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  })
})
