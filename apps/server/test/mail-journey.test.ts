import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificateFor } from '@muripo/testing/certificate'
import { type MailServer, openMailServer, type ReceivedMail } from '@muripo/testing/mail-server'
import { pdf } from '@muripo/testing/pdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGateway, type Gateway } from '../src/gateway.ts'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { createLog } from '../src/platform/log.ts'
import { codeIn } from './mailed-code.ts'
import { productionEnv } from './production-env.ts'
import { testDatabase } from './test-database.ts'
import { tinyWeb } from './tiny-web.ts'

const certificate = await certificateFor('localhost')
// Test files share a process. OpenSSL uses only the first of two certificates with one name.
setDefaultCACertificates([...getCACertificates('bundled'), certificate.cert])

const password = 'p4ss of the merchant'
const nextPassword = 'p4ss of the next day'

/** The whole gateway as in production, whose mails go through a mail server over TLS with a name and a password. */
describe('a gateway with a mail server', () => {
  let gateway: Gateway
  let dataDir: string
  let web: Awaited<ReturnType<typeof tinyWeb>>
  let server: MailServer
  const received: ReceivedMail[] = []
  const lines: string[] = []
  /** Addresses whose first mail the server refuses, for now or for good. */
  const refusals = new Map<string, number>()

  const open = async (port?: number): Promise<MailServer> =>
    openMailServer({
      certificate,
      tls: 'starttls',
      ...(port === undefined ? {} : { port }),
      refuse(mail) {
        const code = mail.to.flatMap((to) => refusals.get(to) ?? [])[0]
        if (code === undefined) {
          received.push(mail)
          return null
        }
        if (code < 500) for (const to of mail.to) refusals.delete(to)
        return { code, text: `No: ${mail.subject}` }
      },
    })

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'muripo-mails-'))
    web = await tinyWeb()
    server = await open()
    const config = parseGatewayConfig({
      ...productionEnv,
      MURIPO_DATA: dataDir,
      SMTP_URL: server.url,
      PASSWORD_MEMORY_MIB: '7',
      RATE_LIMITS: '100',
    })
    const log = createLog('trace', { write: (line) => void lines.push(line) })
    gateway = await createGateway(config, log, (await testDatabase()).url, async () => web.dir)
  })
  afterAll(async () => {
    await gateway.stop()
    await server.close()
    await web.remove()
    await rm(dataDir, { recursive: true })
  })

  async function post(at: string, payload: object | string, headers: Record<string, string> = {}) {
    const response = await gateway.app.inject({
      method: 'POST',
      url: `/v1${at}`,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
    return { status: response.statusCode, body: response.json() }
  }
  async function signUp(email: string): Promise<void> {
    const { uploadKey } = (await gateway.app.inject('/v1/config')).json()
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    const { body } = await post('/files/upload', `${part}${pdf()}\r\n--b--\r\n`, {
      'content-type': 'multipart/form-data; boundary=b',
      'x-api-key': uploadKey,
    })
    const { status } = await post('/auth/signup', {
      role: 'merchant',
      accountType: 'individual',
      fullname: 'Rudo Dube',
      email,
      password,
      phonenumber: '077 123 4567',
      identificationDocumentType: 'passport',
      identificationDocumentPdf: body.url,
    })
    expect(status).toBe(201)
  }
  const signIn = async (email: string, secret = password): Promise<string> => {
    const { status, body } = await post('/auth/signin', { email, password: secret })
    expect(status).toBe(200)
    return body.otpId
  }
  const mailsTo = (email: string) => received.filter(({ to }) => to.includes(email))
  async function codeFor(email: string, nth: number): Promise<string> {
    await expect.poll(() => mailsTo(email).length).toBe(nth)
    const { subject, text } = mailsTo(email)[nth - 1] as ReceivedMail
    // Subjects appear on locked screens and in the logs of mail servers.
    expect(subject).not.toMatch(/\d/)
    expect(codeIn(text)).not.toBe('')
    return codeIn(text)
  }
  const verify = (otpId: string, otp: string) => post(`/auth/verify-otp/${otpId}`, { purpose: 'signin', otp })

  test('signs in and sets a new password with the codes that arrive', async () => {
    const email = 'rudo@example.com'
    await signUp(email)
    expect((await verify(await signIn(email), await codeFor(email, 1))).status).toBe(200)
    const { otpId } = (await post('/auth/password/forgot', { email })).body
    const otp = await codeFor(email, 2)
    const set = await post(`/auth/password/setnew/${otpId}`, { otp, newPassword: nextPassword })
    expect(set.status).toBe(200)
    await expect.poll(() => mailsTo(email).at(-1)?.subject).toBe('Your Muripo password was changed')
    expect((await verify(await signIn(email, nextPassword), await codeFor(email, 4))).status).toBe(200)
    expect(server.sessions.length).toBeGreaterThanOrEqual(4)
    for (const session of server.sessions) expect(session).toEqual({ secure: true, user: 'gateway' })
  })

  test('stores no copy of an email in production', async () => {
    expect((await gateway.app.inject('/dev/mailbox/messages')).statusCode).toBe(404)
  })

  test('sends each email once after a temporary refusal or an outage of the server, and ends those that are never accepted', async () => {
    const [later, never, down] = ['later@example.com', 'never@example.com', 'down@example.com']
    for (const email of [later, never, down]) await signUp(email)
    refusals.set(later, 451)
    refusals.set(never, 550)
    const waiting = await signIn(later)
    await signIn(never)
    await expect
      .poll(() => lines.filter((line) => line.includes('an email was refused permanently')).length)
      .toBe(1)
    await expect.poll(() => refusals.has(later)).toBe(false)
    const { port } = server
    await server.close()
    const whileDown = await signIn(down)
    await expect.poll(() => lines.filter((line) => line.includes('at CONN')).length).toBeGreaterThan(0)
    server = await open(port)

    expect((await verify(waiting, await codeFor(later, 1))).status).toBe(200)
    expect((await verify(whileDown, await codeFor(down, 1))).status).toBe(200)
    expect(mailsTo(never)).toEqual([])
    const ids = received.map(({ messageId }) => messageId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('logs nothing of an email', () => {
    const log = lines.join('')
    for (const { text } of received) expect(log).not.toContain(codeIn(text) || 'no code')
    for (const secret of [server.password, encodeURIComponent(server.password), 'Your Muripo', 'example.com'])
      expect(log).not.toContain(secret)
  })
})
