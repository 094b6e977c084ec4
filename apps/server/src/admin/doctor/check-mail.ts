import { type Config, NO_CONTACT } from '../../platform/config.ts'
import { verifySmtp } from '../../platform/mail/smtp.ts'
import { messageOf } from '../../startup-error.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** Connects and signs in to the mail server; no mail is sent. */
export async function checkMail({
  smtpUrl,
  contactEmail,
}: Pick<Config, 'smtpUrl' | 'contactEmail'>): Promise<Finding> {
  if (smtpUrl === null) return ok('mail', 'no mail server: emails stay in the mailbox of development')
  const { host } = new URL(smtpUrl)
  try {
    await verifySmtp(smtpUrl)
    if (contactEmail === null) return warning('mail', NO_CONTACT)
    return ok('mail', `${host} accepts the connection, the user and the password`)
  } catch (error) {
    return failure('mail', `${host}: ${messageOf(error)}`)
  }
}
