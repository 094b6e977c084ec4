import { Problem } from '@muripo/contract/errors'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { makeWorld, type World } from './world.ts'

let world: World
let app: FastifyInstance
let caller: Caller

beforeAll(async () => {
  world = await makeWorld({ RATE_LIMITS: '1000000', PASSWORD_MEMORY_MIB: '7' })
  app = await makeApp(world.ctx)
  caller = await makeCaller(world.ctx)
})
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})

const order = { amount: 12.5, currency: 'USD', description: 'Order 1001' }

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('\u0000', '\ud800', '\udfff', '%', '\\', "'", '"', '🌍', 'a'),
    maxLength: 8,
  }),
  fc.constantFrom('', ' ', 'USD', 'ecocash', '2026-11-20', '0000-00-00', '9999-12-31', '1e-7', '-0', 'null'),
)
const value = fc.oneof(odd, fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue())
const id = fc.constantFrom(
  '',
  'pay_',
  `pay_${'0'.repeat(26)}`,
  `app_${'7'.repeat(26)}`,
  `pay_${'z'.repeat(26)}`,
)

/** Bodies near the right one: any field may be odd, missing, or joined by one that nobody knows. */
const near = (right: Record<string, unknown>) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(right).map(([name, usual]) => [
          name,
          fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: value }),
        ]),
      ),
      { requiredKeys: [] },
    )
    .chain((body) =>
      fc.oneof(
        fc.constant(body),
        value.map((extra) => ({ ...body, extra })),
      ),
    )

const query = (...names: string[]) =>
  fc.dictionary(fc.constantFrom(...names, 'other'), fc.oneof(odd, id), { maxKeys: 4 }).map((entries) =>
    Object.entries(entries)
      .map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`)
      .join('&'),
  )

const fullOrder = {
  ...order,
  reference: 'A1',
  customer: { email: 'a@b.co', name: 'Tendai', phone: '0771234567' },
  method: 'ecocash',
  success_url: 'https://shop.test/ok',
  cancel_url: 'https://shop.test/no',
  metadata: { a: '1' },
  expires_in: 3600,
}
const params = fc.oneof(id, odd).map((text) => encodeURIComponent(text.toWellFormed()))

interface Shot {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  url: string
  body?: unknown
  as: 'withKey' | 'withSession' | 'asStranger'
}
const get = (url: fc.Arbitrary<string>, as: Shot['as']) =>
  url.map((at): Shot => ({ method: 'GET', url: at, as }))
const auth = (at: fc.Arbitrary<string>, body: fc.Arbitrary<unknown>): fc.Arbitrary<Shot> =>
  fc
    .tuple(at, body)
    .map(([path, sent]) => ({ method: 'POST', url: `/v1/auth${path}`, body: sent, as: 'asStranger' }))
const person = { email: 'a@b.co', password: 'correct horse battery' }
const otpId = fc.oneof(params, fc.constant(`otp_${'0'.repeat(26)}`))
const signUp = {
  ...person,
  role: 'merchant',
  accountType: 'individual',
  fullname: 'Tendai Moyo',
  phonenumber: '0771234567',
  identificationDocumentType: 'passport',
  identificationDocumentPdf: 'http://gateway.test/v1/files/x',
}

const shown = { id: 'AAAA', clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' }
const made = { id: 'AAAA', clientDataJSON: 'e30', attestationObject: 'oA', transports: [] }
const passkeys = (at: fc.Arbitrary<string>, body: fc.Arbitrary<unknown>, method: Shot['method'] = 'POST') =>
  fc
    .tuple(at, body)
    .map(
      ([path, sent]): Shot => ({ method, url: `/v1/account/passkeys${path}`, body: sent, as: 'withSession' }),
    )

const shots: fc.Arbitrary<Shot> = fc.oneof(
  auth(fc.constant('/signin'), near(person)),
  auth(fc.constant('/signup'), near(signUp)),
  auth(
    otpId.map((at) => `/verify-otp/${at}`),
    near({ purpose: 'signin', otp: '123456' }),
  ),
  auth(
    otpId.map((at) => `/resend-otp/${at}`),
    near({ purpose: 'signin' }),
  ),
  auth(
    otpId.map((at) => `/passkey/ask/${at}`),
    near({}),
  ),
  auth(
    otpId.map((at) => `/passkey/verify/${at}`),
    near({ passkey: shown }),
  ),
  auth(fc.constant('/password/forgot'), near({ email: 'a@b.co' })),
  auth(
    otpId.map((at) => `/password/setnew/${at}`),
    near({ otp: '123456', newPassword: 'another good password' }),
  ),
  passkeys(fc.constant('/start'), near({ password: 'a wrong guess' })),
  passkeys(
    fc.constant(''),
    fc.oneof(
      near({ passkey: made }),
      near(made).map((passkey) => ({ passkey })),
    ),
  ),
  passkeys(
    params.map((at) => `/${at}`),
    near({ name: 'Phone' }),
    'PATCH',
  ),
  passkeys(
    params.map((at) => `/${at}/remove`),
    near({ password: 'correct horse battery' }),
  ),
  auth(fc.constant('/refresh-token'), near({ refreshToken: 'x.y.z' })),
  {
    weight: 4,
    arbitrary: near(fullOrder).map(
      (body): Shot => ({ method: 'POST', url: '/api/v1/payments', body, as: 'withKey' }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.dictionary(odd, odd).map(
      (metadata): Shot => ({
        method: 'POST',
        url: '/api/v1/payments',
        body: { ...order, metadata },
        as: 'withKey',
      }),
    ),
  },
  get(
    params.map((at) => `/api/v1/payments/${at}`),
    'withKey',
  ),
  get(
    query('limit', 'cursor', 'status', 'reference', 'created_after', 'created_before').map(
      (q) => `/api/v1/payments?${q}`,
    ),
    'withKey',
  ),
  get(
    query(
      'limit',
      'cursor',
      'from',
      'to',
      'status',
      'method',
      'minAmount',
      'maxAmount',
      'applicationId',
      'search',
    ).map((q) => `/v1/payments/all?${q}`),
    'withSession',
  ),
  get(
    query('from', 'to', 'status', 'method', 'minAmount', 'maxAmount', 'applicationId', 'search').map(
      (q) => `/v1/payments/export?${q}`,
    ),
    'withSession',
  ),
  get(
    params.map((at) => `/v1/payments/${at}`),
    'withSession',
  ),
  near({ paymentId: 'pay_', amount: 12.5, currency: 'USD' }).map(
    (body): Shot => ({ method: 'POST', url: '/v1/payments/refund', body, as: 'withSession' }),
  ),
  near({ applicationName: 'Shop', description: 'x', category: 'Retail' }).map(
    (body): Shot => ({ method: 'POST', url: '/v1/applications/create', body, as: 'withSession' }),
  ),
  get(
    params.map((at) => `/v1/applications/${at}`),
    'withSession',
  ),
  params.map(
    (at): Shot => ({ method: 'PATCH', url: `/v1/applications/${at}/regenerate-key`, as: 'withSession' }),
  ),
  fc.tuple(params, near({ status: 'active' })).map(
    ([at, body]): Shot => ({
      method: 'PATCH',
      url: `/v1/applications/${at}/status`,
      body,
      as: 'withSession',
    }),
  ),
  fc
    .tuple(
      params,
      near({
        bankName: 'CBZ Bank',
        bankAccountNumber: '0123456789',
        bankAccountName: 'Shop',
        bankAccountType: 'Current',
      }),
    )
    .map(
      ([at, body]): Shot => ({
        method: 'PUT',
        url: `/v1/applications/${at}/banking`,
        body,
        as: 'withSession',
      }),
    ),
  params.map((at): Shot => ({ method: 'POST', url: `/callbacks/scripted/${at}`, as: 'withKey' })),
)

test('no call, however odd, is answered with a fault of ours', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(shots, { minLength: 8, maxLength: 8 }), async (volley) => {
      const answers = await Promise.all(
        volley.map(({ method, url, body, as }) =>
          app.inject({
            method,
            url,
            headers: {
              ...(as === 'asStranger' ? { cookie: `muripo-device=${url}` } : caller[as]),
              'content-type': 'application/json',
            },
            ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
          }),
        ),
      )
      for (const answer of answers) {
        expect(answer.statusCode).toBeLessThan(500)
        if (answer.statusCode < 400) continue
        expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
        expect(Problem.parse(answer.json()).status).toBe(answer.statusCode)
      }
    }),
    { numRuns: 300 },
  )
  expect(world.errors).toEqual([])
})
