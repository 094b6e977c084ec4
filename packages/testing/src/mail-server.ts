import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Certificate } from './certificate.ts'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  /** The message as it was received. */
  readonly raw: string
}

export interface MailServer {
  /** The value of SMTP_URL, with user and password. */
  readonly url: string
  readonly port: number
  readonly password: string
  /** Accepted emails, in the order of arrival. */
  readonly mails: readonly ReceivedMail[]
  /** Every session, whatever came of it. */
  readonly sessions: readonly { readonly secure: boolean; readonly user: string | null }[]
  close(): Promise<void>
}

export interface MailServerOptions {
  readonly certificate: Certificate
  /** TLS from the first byte, by STARTTLS, or not offered. */
  readonly tls: 'implicit' | 'starttls' | 'none'
  readonly port?: number
  /** Refuses an email: the response to the client. */
  readonly refuse?: (mail: ReceivedMail) => { readonly code: number; readonly text: string } | null
}

const user = 'gateway'
const password = 'a password of the mail server'

/** A mail server on this machine that accepts emails over TLS from one user with a password. */
export async function openMailServer({
  certificate,
  tls,
  port = 0,
  refuse = () => null,
}: MailServerOptions): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const sessions: { secure: boolean; user: string | null }[] = []
  const options: SMTPServerOptions = {
    ...certificate,
    secure: tls === 'implicit',
    authMethods: ['PLAIN', 'LOGIN'],
    disabledCommands: tls === 'none' ? ['STARTTLS'] : [],
    // Without TLS the server accepts name and password in plain text, to detect a client that reveals them.
    allowInsecureAuth: tls === 'none',
    authOptional: false,
    logger: false,
    onAuth(auth, session, callback) {
      sessions.push({ secure: session.secure, user: auth.username ?? null })
      if (auth.username === user && auth.password === password) callback(null, { user })
      else callback(Object.assign(new Error('Wrong name or password'), { responseCode: 535 }))
    },
    onData(stream, session, callback) {
      void read(stream).then(async (raw) => {
        const mail = await parse(
          raw,
          session.envelope.rcptTo.map(({ address }) => address),
        )
        const refusal = refuse(mail)
        if (refusal) callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
        else {
          mails.push(mail)
          callback()
        }
      }, callback)
    },
  }
  const server = new SMTPServer(options)
  // A client that hangs up in the middle of a handshake is what some tests are about.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address() as AddressInfo
  const scheme = tls === 'implicit' ? 'smtps' : 'smtp'
  return {
    url: `${scheme}://${user}:${encodeURIComponent(password)}@localhost:${address.port}`,
    port: address.port,
    password,
    mails,
    sessions,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function read(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function parse(raw: Buffer, to: readonly string[]): Promise<ReceivedMail> {
  const { subject = '', text = '', html = '', messageId = '' } = await PostalMime.parse(raw)
  return { to, subject, text, html, messageId, raw: raw.toString('latin1') }
}
