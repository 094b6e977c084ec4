import { createTransport } from 'nodemailer'
import type { MailTransport } from './mail.ts'

export function smtpTransport(smtpUrl: string, from: string): MailTransport {
  const transport = createTransport(smtpUrl, { from })
  return {
    async deliver(mail) {
      await transport.sendMail({ ...mail, from })
    },
  }
}
