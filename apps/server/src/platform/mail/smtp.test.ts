import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificateFor } from '@muripo/testing/certificate'
import { type MailServer, type MailServerOptions, openMailServer } from '@muripo/testing/mail-server'
import { afterEach, describe, expect, test } from 'vitest'
import { MailRefused } from './mail.ts'
import { renderEmail } from './render-email.ts'
import { smtpTransport } from './smtp.ts'

const trusted = await certificateFor('localhost')
// Test files share a process. OpenSSL uses only the first of two certificates with one name.
setDefaultCACertificates([...getCACertificates('bundled'), trusted.cert])

const content = {
  to: 'rudo@example.com',
  subject: 'Code: 004213',
  heading: 'A code',
  code: '004213',
  lines: ['Ñandú'],
}
const mail = renderEmail(content)
const from = 'Muripo <hello@muripo.example>'

let server: MailServer | undefined
afterEach(() => server?.close())

async function serverWith(options: Partial<MailServerOptions>): Promise<MailServer> {
  server = await openMailServer({ certificate: trusted, tls: 'starttls', ...options })
  return server
}
const send = (url: string, what = mail) => smtpTransport(url, from).deliver(what, 'mail-1')
const reason = (url: string, what = mail): Promise<Error> =>
  send(url, what).then(
    () => Promise.reject(new Error('it was sent')),
    (error: unknown) => error as Error,
  )

describe.each(['implicit', 'starttls'] as const)('a mail over a connection with %s TLS', (tls) => {
  test('arrives unchanged, with an id that marks a second copy', async () => {
    const { url, mails, sessions } = await serverWith({ tls })
    await send(url)
    await send(url)
    expect(mails).toHaveLength(2)
    expect(mails[0]).toMatchObject({
      to: [content.to],
      subject: content.subject,
      messageId: '<mail-1@muripo.example>',
    })
    expect(mails[0]?.text.trim()).toBe(mail.text)
    expect(mails[0]?.html.trim()).toBe(mail.html)
    expect(mails[1]?.messageId).toBe(mails[0]?.messageId)
    expect(sessions).toEqual([
      { secure: true, user: 'gateway' },
      { secure: true, user: 'gateway' },
    ])
  })

  test('is not sent to a server with an untrusted certificate', async () => {
    const certificate = await certificateFor('localhost')
    const { url, mails, sessions } = await serverWith({ tls, certificate })
    expect((await reason(url)).message).toMatch(/did not take a mail/)
    expect([mails, sessions]).toEqual([[], []])
  })

  test('is not sent to a server whose certificate is for another name', async () => {
    const certificate = await certificateFor('mail.example')
    setDefaultCACertificates([...getCACertificates('default'), certificate.cert])
    const { url, mails, sessions } = await serverWith({ tls, certificate })
    expect((await reason(url)).message).toMatch(/did not take a mail/)
    expect([mails, sessions]).toEqual([[], []])
  })

  test('waits when the password is wrong', async () => {
    const { url, mails, password } = await serverWith({ tls })
    const wrong = url.replace(encodeURIComponent(password), 'wrong')
    const error = await reason(wrong)
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(error.message).toBe('the mail server did not take a mail: EAUTH 535 at AUTH PLAIN')
    expect(mails).toEqual([])
  })
})

test.each(['smtp', 'smtps'])('neither an email nor the password is sent in clear: %s', async (scheme) => {
  const { url, mails, sessions } = await serverWith({ tls: 'none' })
  expect((await reason(url.replace(/^smtp/, scheme))).message).toMatch(/did not take a mail/)
  expect([mails, sessions]).toEqual([[], []])
})

test('an operator may allow it', async () => {
  const { url, mails } = await serverWith({ tls: 'none' })
  await send(`${url}/?requireTLS=false`)
  expect(mails).toHaveLength(1)
})

test.each([
  ['451 at the end of the data', 451, Error],
  ['554 at the end of the data', 554, MailRefused],
])('the server’s reply is not logged, because it may quote the code: %s', async (_what, code, kind) => {
  const { url } = await serverWith({
    refuse: ({ subject }) => ({ code, text: `Refused: "${subject}"` }),
  })
  const error = await reason(url)
  expect(error).toBeInstanceOf(kind)
  expect(error instanceof MailRefused).toBe(kind === MailRefused)
  expect(error.message).toContain(String(code))
  expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('004213')
  expect(error.cause).toBeUndefined()
})

test('an unreachable server is tried again', async () => {
  const { url, close } = await serverWith({})
  await close()
  server = undefined
  expect(await reason(url)).not.toBeInstanceOf(MailRefused)
})

describe('a text of a visitor', () => {
  const attacks = [
    'x\r\nBcc: all@example.com',
    'x\nSubject: free',
    'x\r\n\r\n<h1>Hello',
    'x\u2028Bcc: all@example.com',
    'x\u0085Bcc: all@example.com',
  ]

  test.each(attacks)('makes no header and reaches nobody else: %j', async (attack) => {
    const { url, mails } = await serverWith({})
    await send(
      url,
      renderEmail({
        ...content,
        subject: attack,
        fullname: attack,
        heading: attack,
        facts: [[attack, attack]],
      }),
    )
    const [received] = mails
    expect(received?.to).toEqual([content.to])
    const head = received?.raw.slice(0, received.raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ') ?? ''
    expect(
      head
        .split('\r\n')
        .map((line) => line.split(':')[0]?.toLowerCase())
        .sort(),
    ).toEqual(['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'])
    expect(received?.subject).toMatch(/^x /)
  })

  test.each([
    'a@example.com, all@example.com',
    'a@example.com\r\nBcc: all@example.com',
    'a@example.com>\r\nRCPT TO:<all@example.com',
    'Rudo <a@example.com>, all@example.com',
  ])('as an address reaches one mailbox or none: %j', async (to) => {
    const { url, mails } = await serverWith({})
    await send(url, renderEmail({ ...content, to })).catch(() => undefined)
    await send(url, { ...mail, to }).catch(() => undefined)
    for (const received of mails) {
      expect(received.to).toHaveLength(1)
      expect(received.to).not.toContain('all@example.com')
      expect(received.raw).not.toMatch(/^bcc:/im)
    }
  })
})
