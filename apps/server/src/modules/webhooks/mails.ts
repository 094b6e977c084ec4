import { type Letter, momentText } from '../../platform/mail/letter.ts'
import type { MerchantProfile } from '../identity/index.ts'

interface About {
  readonly applicationName: string
  readonly at: Date
}

/** Its address could be taken for a link, which mails do not show: the mark on the dashboard says which one it is. */
const facts = ({ applicationName }: About): [string, string][] => [['Application', applicationName]]

const whereToLook = (mark: string): string =>
  `On your dashboard, under Applications, Manage, Webhooks, it is the one marked ${mark}. There you see what was sent and what came back, and can send it again.`

export const endpointFailingMail = (
  { email: to, fullname, timeZone }: MerchantProfile,
  about: About,
): Letter => ({
  to,
  fullname,
  subject: 'A webhook endpoint of yours is failing',
  heading: 'A webhook endpoint of yours is failing',
  occasion: { when: momentText(about.at, timeZone) },
  facts: facts(about),
  lines: [
    'We tried to deliver an event to it ten times over about three days, and have given that event up. New events are still sent there.',
    whereToLook('Failing'),
  ],
})

export const endpointUnprovenMail = (
  { email: to, fullname, timeZone }: MerchantProfile,
  about: About,
): Letter => ({
  to,
  fullname,
  subject: 'A webhook endpoint of yours was turned off',
  heading: 'A webhook endpoint of yours was turned off',
  occasion: { when: momentText(about.at, timeZone) },
  facts: facts(about),
  lines: [
    'It has never answered with a 2xx, and ten deliveries to it have failed. Nothing more is sent there until you turn it on again.',
    whereToLook('Off'),
  ],
})

export const endpointDisabledMail = (
  { email: to, fullname, timeZone }: MerchantProfile,
  about: About,
): Letter => ({
  to,
  fullname,
  subject: 'A webhook endpoint of yours was turned off',
  heading: 'A webhook endpoint of yours was turned off',
  occasion: { when: momentText(about.at, timeZone) },
  facts: facts(about),
  lines: [
    'It answered 410 Gone, which asks for no more events. Nothing more is sent there until you turn it on again.',
    whereToLook('Off'),
  ],
})
