import type { Config } from '../config.ts'
import type { MailTransport } from './mail.ts'
import type { Mailbox } from './mailbox.ts'

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
