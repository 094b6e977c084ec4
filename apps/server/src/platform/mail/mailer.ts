import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { decrypt, type EncryptionKeys, encrypt } from '../crypto/encryption.ts'
import type { Tx } from '../db/database.ts'
import type { Job, Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { EmailContent } from './email-content.ts'
import { MailRefused, type MailTransport } from './mail.ts'
import type { Mailbox } from './mailbox.ts'

/**
 * Emails are sent by jobs: the response does not wait for a mail server, and its time does not reveal whether an email was sent.
 * The content may include a code, so the database stores it encrypted.
 */
export interface Mailer {
  send(tx: Tx, content: EmailContent): Promise<void>
}

export const MAIL_JOB = 'send-mail'
const CONTEXT = 'job:send-mail'

export function createMailer(jobs: Jobs, keys: EncryptionKeys): Mailer {
  return {
    async send(tx, content) {
      const encrypted = encrypt(keys, Buffer.from(JSON.stringify(content)), CONTEXT).toString('base64')
      await jobs.enqueue(tx, MAIL_JOB, { encrypted })
    },
  }
}

export function sendMailJob(transport: MailTransport, keys: EncryptionKeys, log: Log): Job {
  return {
    name: MAIL_JOB,
    async run(payload) {
      const { encrypted } = payload as { encrypted: string }
      const plain = decrypt(keys, Buffer.from(encrypted, 'base64'), CONTEXT)
      if (plain === null) throw new Error('a mail was encrypted with another root secret')
      // Loaded with the first mail, in the processes that send mails.
      const { renderEmail } = await import('./render-email.ts')
      const mail = renderEmail(JSON.parse(plain.toString()) as EmailContent)
      // The encrypted content differs for each email and is the same for each attempt to send it.
      const id = createHash('sha256').update(encrypted).digest('hex').slice(0, 32)
      try {
        await transport.deliver(mail, id)
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error
        log.error(
          { reply: error.reply, command: error.command, mail: id },
          'an email was refused permanently',
        )
      }
    },
  }
}

/** Sends to the mail server, if there is one; the development mailbox then stores a copy of each accepted mail. */
export function mailTransport(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  mailbox: Mailbox | null,
): MailTransport {
  // Loaded with the first mail, in the processes that send mails.
  const connect = async (url: string) => (await import('./smtp.ts')).smtpTransport(url, mailFrom)
  let smtp: Promise<MailTransport> | undefined
  if (smtpUrl === null && mailbox === null) throw new Error('mails need a way out')
  return {
    async deliver(mail, id) {
      if (smtpUrl !== null) {
        smtp ??= connect(smtpUrl)
        await (await smtp).deliver(mail, id)
      }
      await mailbox?.deliver(mail, id)
    },
  }
}
