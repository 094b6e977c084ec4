import type { Config } from '../config.ts'
import type { MailTransport } from './mail.ts'
import type { Mailbox } from './mailbox.ts'
import { smtpTransport } from './smtp.ts'

/** Sends to the mail server, if there is one; the development mailbox then stores a copy of each accepted mail. */
export function mailTransport(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  mailbox: Mailbox | null,
): MailTransport {
  const smtp = smtpUrl === null ? null : smtpTransport(smtpUrl, mailFrom)
  if (smtp === null && mailbox === null) throw new Error('mails need a way out')
  return {
    async deliver(mail, id) {
      await smtp?.deliver(mail, id)
      await mailbox?.deliver(mail, id)
    },
  }
}
