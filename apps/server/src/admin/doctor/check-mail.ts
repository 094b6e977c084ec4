import type { Config } from '../../platform/config.ts'
import { verifySmtp } from '../../platform/mail/smtp.ts'
import { messageOf } from '../../startup-error.ts'
import { type Finding, failure, ok } from './finding.ts'

/** Connects and signs in to the mail server; no mail is sent. */
export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === null) return ok('mail', 'no mail server: emails stay in the mailbox of development')
  const { host } = new URL(smtpUrl)
  try {
    await verifySmtp(smtpUrl)
    return ok('mail', `${host} accepts the connection, the user and the password`)
  } catch (error) {
    return failure('mail', `${host}: ${messageOf(error)}`)
  }
}
