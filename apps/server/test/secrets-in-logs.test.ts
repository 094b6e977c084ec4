import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pdf } from '@muripo/testing/pdf'
import { Secrets } from '@muripo/testing/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../src/admin/run-command.ts'
import { createGateway, type Gateway } from '../src/gateway.ts'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { developmentMasterKey } from '../src/platform/crypto/keys.ts'
import { createLog } from '../src/platform/log.ts'
import { asAdmin } from './admin.ts'
import { codeIn, wrongCode } from './mailed-code.ts'
import { isOnCitus } from './on-citus.ts'
import { testDatabase } from './test-database.ts'
import { tinyWeb } from './tiny-web.ts'

const password = 'p4ss-canary-7f3a of the merchant'
const nextPassword = 'p4ss-canary-9c1d of the next day'
const changedPassword = 'p4ss-canary-5b2e of the afternoon'
const wrongPassword = 'p4ss-canary-0000 that is wrong'

/** A run of the whole gateway at the finest log level, with the secrets that it received. */
const payerEmail = 'payer@example.com'

interface Tokens {
  readonly authToken: string
  readonly refreshToken: string
}

describe('the log of a run', () => {
  let gateway: Gateway
  let dataDir: string
  let databaseUrl: string
  let web: Awaited<ReturnType<typeof tinyWeb>>
  const lines: string[] = []
  const secrets = new Secrets()
  /** The device cookie of the browser. */
  let stored: string | undefined

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'muripo-secrets-'))
    web = await tinyWeb()
    databaseUrl = (await testDatabase()).url
    const config = parseGatewayConfig({
      MURIPO_DATA: dataDir,
      PUBLIC_URL: 'http://gateway.test',
      PASSWORD_MEMORY_MIB: '7',
    })
    const log = createLog('trace', { write: (line) => void lines.push(line) })
    gateway = await createGateway(config, log, databaseUrl, async () => web.dir)
  })
  afterAll(async () => {
    await gateway.stop()
    await web.remove()
    await rm(dataDir, { recursive: true })
  })

  const secret = (name: string, value: unknown): string => {
    if (typeof value !== 'string') throw new Error(`no ${name} to look for`)
    secrets.add(name, value)
    return value
  }
  async function call(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    payload?: object | string,
    headers: Record<string, string> = {},
  ) {
    const response = await gateway.app.inject({
      method,
      url,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(stored ? { cookie: stored } : {}),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const [cookie = ''] = [response.headers['set-cookie']].flat()
    const device = /muripo-device=([\w-]+)/.exec(cookie)?.[1]
    if (device) {
      secret('device', device)
      stored = `muripo-device=${device}`
    }
    const isJson = String(response.headers['content-type']).includes('json')
    return { status: response.statusCode, body: isJson ? response.json() : null }
  }
  const auth = (at: string, payload: object | string, headers?: Record<string, string>) =>
    call('POST', `/v1/auth${at}`, payload, headers)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  async function mailedCode(to: string, kind: RegExp, after = 0): Promise<string> {
    const codes = async () => {
      const text = await readFile(path.join(dataDir, 'mail/mailbox.jsonl'), 'utf8').catch(() => '')
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { to: string; subject: string; text: string })
        .filter((mail) => mail.to === to && kind.test(mail.subject))
        .map(({ text: words }) => codeIn(words))
    }
    await expect.poll(async () => (await codes()).length).toBeGreaterThan(after)
    return secret('code', (await codes()).at(-1))
  }
  async function upload(): Promise<string> {
    const { uploadKey } = (await call('GET', '/v1/config')).body
    const boundary = 'boundary'
    const part = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`
    const { body } = await call('POST', '/v1/files/upload', `${part}${pdf()}\r\n--${boundary}--\r\n`, {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'x-api-key': uploadKey,
    })
    return secret('document', body.url)
  }
  const form = async (email: string) => ({
    role: 'merchant',
    accountType: 'individual',
    fullname: 'Rudo Dube',
    email,
    password,
    phonenumber: '077 123 4567',
    identificationDocumentType: 'passport',
    identificationDocumentPdf: await upload(),
  })

  /** An operator stores an account at a provider, which the running gateway uses. */
  async function storeAccount(): Promise<void> {
    const key = secret('integration key', 'key-canary-2d6b of the second shop')
    const callback = async () =>
      (await call('POST', '/callbacks/paynow-shop/token', 'status=Paid', { 'content-type': 'text/plain' }))
        .status
    expect(await callback()).toBe(404)
    const line = ['providers', 'set', 'paynow-shop', '--reason', 'The second shop']
    const { code, output } = await runCommand(line, {
      account: 'till',
      machine: 'counter',
      env: { MURIPO_DATA: dataDir, DATABASE_URL: databaseUrl },
      input: async () => `PAYNOW_EMAIL=shop@example.com\nPAYNOW_USD_ID=7001\nPAYNOW_USD_KEY=${key}`,
    })
    expect([code, output]).toEqual([0, expect.not.stringContaining(key)])
    await expect.poll(callback).toBe(200)
  }

  /** Runs a step while a statement has broken the database; the other statement repairs it. */
  async function whileBroken(broken: string, mended: string, step: () => Promise<unknown>): Promise<void> {
    await asAdmin(databaseUrl, broken)
    try {
      await step()
    } finally {
      await asAdmin(databaseUrl, mended)
    }
  }

  /** Signs in after refused attempts, and refreshes the session. @returns the new tokens */
  async function signIn(email: string): Promise<Tokens> {
    await auth('/signin', { email, password: wrongPassword })
    await auth('/signin', `{"email": "${email}", "password": "${password}"`)
    await auth('/signin', { email, password: { text: password } })
    await auth('/signin', { email, [password]: password })
    const { otpId } = (await auth('/signin', { email, password })).body
    const code = await mailedCode(email, /sign-in/)
    await auth(`/verify-otp/${otpId}`, { purpose: 'signin', otp: wrongCode(code) })
    await auth(`/verify-otp/${code}`, { purpose: 'signin', otp: code })
    const tokens = (await auth(`/verify-otp/${otpId}`, { purpose: 'signin', otp: code })).body
    secret('access token', tokens.authToken)
    secret('refresh token', tokens.refreshToken)
    await auth(`/verify-otp/${otpId}`, { purpose: 'signin', otp: code })

    const next = (await auth('/refresh-token', { refreshToken: tokens.refreshToken })).body
    secret('access token', next.authToken)
    secret('refresh token', next.refreshToken)
    await auth('/refresh-token', { refreshToken: `${tokens.refreshToken}x` })
    await call('GET', `/v1/stats/dashboard?token=${next.authToken}`, undefined, bearer(`${next.authToken}x`))
    return next
  }

  /** Makes an application and a payment with its key, and calls with a wrong key and an unknown field. */
  async function pay(token: string): Promise<{ key: string; order: object }> {
    const input = { applicationName: 'Shop', description: 'Sells things', category: 'Retail' }
    const made = (await call('POST', '/v1/applications/create', input, bearer(token))).body
    const key = secret('application key', made.applicationKey)
    const customer = { email: payerEmail }
    const order = { amount: 12.5, currency: 'USD', description: 'Order 1001', customer }
    const payment = (await call('POST', '/api/v1/payments', order, bearer(key))).body
    secret('payment link', /[^/]+$/.exec(payment.payment_url)?.[0])
    await call('POST', '/api/v1/payments', { ...order, [key]: key }, bearer(key))
    await call('POST', '/api/v1/payments', order, bearer(`${key.slice(0, -1)}x`))
    const regenerate = `/v1/applications/${made._id}/regenerate-key`
    secret(
      'application key',
      (await call('PATCH', regenerate, undefined, bearer(token))).body.newApplicationKey,
    )
    return { key, order }
  }

  /** Changes the password, with the old one and by a mailed code, and signs out. */
  async function changePasswords(email: string, token: string): Promise<void> {
    const change = async (currentPassword: string) =>
      (
        await call(
          'POST',
          '/v1/account/password',
          { currentPassword, newPassword: changedPassword },
          bearer(token),
        )
      ).status
    expect(await change(wrongPassword)).toBe(422)
    await whileBroken(
      'alter table persons add constraint broken check (false) not valid',
      'alter table persons drop constraint broken',
      async () => expect(await change(password)).toBe(500),
    )
    expect(await change(password)).toBe(200)

    const { otpId: resetId } = (await auth('/password/forgot', { email })).body
    const reset = await mailedCode(email, /reset/)
    await auth(`/password/setnew/${resetId}`, { otp: '000000', newPassword: nextPassword })
    expect(
      (await auth(`/password/setnew/${resetId}`, { otp: reset, newPassword: nextPassword })).status,
    ).toBe(200)
    await auth('/signout', '', bearer(token))
  }

  /** Makes the calls whose statements a broken database refuses. */
  async function callBroken(email: string, tokens: Tokens, key: string, order: object): Promise<void> {
    await whileBroken(
      'alter table persons add constraint broken check (false) not valid',
      'alter table persons drop constraint broken',
      async () => {
        expect((await auth('/signup', await form('chipo@example.com'))).status).toBe(500)
      },
    )
    await whileBroken(
      'alter table sessions rename to gone',
      'alter table gone rename to sessions',
      async () => {
        const { body } = await auth('/signin', { email, password: nextPassword })
        const otp = await mailedCode(email, /sign-in/, 1)
        expect((await auth(`/verify-otp/${body.otpId}`, { purpose: 'signin', otp })).status).toBe(500)
        expect((await auth('/refresh-token', { refreshToken: tokens.refreshToken })).status).toBe(500)
        expect((await call('GET', '/v1/stats/dashboard', undefined, bearer(tokens.authToken))).status).toBe(
          500,
        )
      },
    )
    await whileBroken(
      'alter table one_time_codes add constraint broken check (false) not valid',
      'alter table one_time_codes drop constraint broken',
      async () => {
        expect((await auth('/signin', { email, password: nextPassword })).status).toBe(500)
        expect((await auth('/password/forgot', { email })).status).toBe(500)
      },
    )
    // Sessions of groups have views, which keep their tables.
    if (isOnCitus) return
    await whileBroken(
      'alter table application_keys rename to gone',
      'alter table gone rename to application_keys',
      async () => {
        expect((await call('POST', '/api/v1/payments', order, bearer(key))).status).toBe(500)
      },
    )
  }

  test('contains none of them, through successes, refusals and failures', async () => {
    const email = 'rudo@example.com'
    for (const each of [password, changedPassword, nextPassword, wrongPassword]) secret('password', each)
    secret('master key', developmentMasterKey(dataDir).toString('base64'))

    await storeAccount()
    expect((await auth('/signup', await form(email))).status).toBe(201)
    const tokens = await signIn(email)
    const { key, order } = await pay(tokens.authToken)
    await changePasswords(email, tokens.authToken)
    await callBroken(email, tokens, key, order)
    const { rows } = await gatewayRows('select password_hash from persons')
    for (const row of rows) secret('password hash', row.password_hash)

    const log = lines.join('')
    expect(lines.filter((line) => line.includes('request failed')).length).toBeGreaterThan(6)
    expect(secrets.foundIn(log)).toEqual([])
    expect(secrets.size).toBeGreaterThan(15)
    // Personal data is not logged either.
    for (const personal of [email, payerEmail, '+263771234567', '$argon2id$'])
      expect(log).not.toContain(personal)
  })

  async function gatewayRows(statement: string): Promise<{ rows: { password_hash: string }[] }> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const result = await client.query(statement)
    await client.end()
    return result
  }
})
