import { ENROLMENT_HOURS } from '@muripo/contract/console-sign-in'
import type { EmailContent } from '../../../platform/mail/email-content.ts'
import type { Added } from './actions/manage-operators.ts'

/** The console has no language until its operator has signed in. */
export const linkMail = ({ operator: { email, name, role }, link }: Added): EmailContent => ({
  to: email,
  locale: 'en',
  fullname: name,
  subject: 'Your access to the console of Muripo',
  heading: 'Your access to the console',
  facts: [['Role', role]],
  lines: [
    'Register a passkey to sign in to the console. Open the link on the device whose passkey you will use.',
    `The link is good once, for ${ENROLMENT_HOURS} hours. Whoever has it acts as you: give it to nobody, also not to a colleague.`,
  ],
  link: { label: 'Register a passkey', url: link },
})
