import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { certificateFor } from '@muripo/testing/certificate'
import { type MailServer, openMailServer } from '@muripo/testing/mail-server'

export interface TestMailServer extends MailServer {
  /** With this a gateway sends its mails there, and trusts the certificate. */
  readonly environment: Readonly<Record<string, string>>
}

/** A real mail server for a gateway: TLS, with a certificate made for it, and a password. */
export async function openTestMailServer(dataDir: string): Promise<TestMailServer> {
  const certificate = await certificateFor('localhost')
  const server = await openMailServer({ certificate, tls: 'starttls' })
  const file = path.join(dataDir, 'mail-server.pem')
  writeFileSync(file, certificate.cert)
  return { ...server, environment: { SMTP_URL: server.url, NODE_EXTRA_CA_CERTS: file } }
}
