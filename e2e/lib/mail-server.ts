import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { certificateFor } from '@muripo/testing/certificate'
import { type MailServer, openMailServer } from '@muripo/testing/mail-server'

export interface TestMailServer extends MailServer {
  /** Environment of a gateway that sends its emails to this server and trusts its certificate. */
  readonly environment: Readonly<Record<string, string>>
}

/** A mail server with TLS, a certificate of its own and a password. */
export async function openTestMailServer(dataDir: string): Promise<TestMailServer> {
  const certificate = await certificateFor('localhost')
  const server = await openMailServer({ certificate, tls: 'starttls' })
  const file = path.join(dataDir, 'mail-server.pem')
  writeFileSync(file, certificate.cert)
  return { ...server, environment: { SMTP_URL: server.url, NODE_EXTRA_CA_CERTS: file } }
}
