import type { Actor } from '../../../platform/audit/actor.ts'
import { coarse } from '../../../platform/http/network.ts'
import { type EmailContent, momentText, type Occasion } from '../../../platform/mail/email-content.ts'
import type { MerchantProfile } from '../../identity/index.ts'

interface About {
  readonly applicationName: string
  readonly at: Date
}

/** The facts leave out the address, which a mail program could make a link of: the badge on the dashboard identifies the endpoint. */
const facts = ({ applicationName }: About): [string, string][] => [['Application', applicationName]]

const troubles = {
  failing: {
    heading: 'A webhook endpoint of yours is failing',
    line: 'We tried to deliver an event to it ten times over about three days, and have given that event up. New events are still sent there.',
    badge: 'Failing',
  },
  unproven: {
    heading: 'A webhook endpoint of yours was turned off',
    line: 'It has never answered with a 2xx, and ten deliveries to it have failed. Nothing more is sent there until you turn it on again.',
    badge: 'Off',
  },
  gone: {
    heading: 'A webhook endpoint of yours was turned off',
    line: 'It answered 410 Gone, which asks for no more events. Nothing more is sent there until you turn it on again.',
    badge: 'Off',
  },
} as const

/** The reasons for which deliveries change the status of an endpoint. */
export type EndpointTrouble = keyof typeof troubles

export function endpointTroubleMail(
  { email: to, fullname, timeZone }: MerchantProfile,
  trouble: EndpointTrouble,
  about: About,
): EmailContent {
  const { heading, line, badge } = troubles[trouble]
  return {
    to,
    fullname,
    subject: heading,
    heading,
    occasion: { when: momentText(about.at, timeZone) },
    facts: facts(about),
    lines: [
      line,
      `On your dashboard, under Applications, Manage, Webhooks, it is the one marked ${badge}. There you see what was sent and what came back, and can send it again.`,
    ],
  }
}

/** A host that mail programs do not turn into a link. */
function hostText(url: string): string {
  const { hostname, port } = new URL(url)
  return hostname.replaceAll('.', '[.]').replaceAll(':', '[:]') + (port === '' ? '' : ` port ${port}`)
}

export interface Change extends About {
  readonly actor: Actor
  readonly contactEmail: string
}

const byWhom = ({ actor }: Change): string =>
  actor.credential?.startsWith('key_')
    ? 'It was done with an application key.'
    : 'It was done on your dashboard.'

const occasionOf = ({ at, actor: { address } }: Change, timeZone: string): Occasion => ({
  when: momentText(at, timeZone),
  ...(address === null ? {} : { network: coarse(address) }),
})

const ifNotYou = ({ contactEmail }: Change): string =>
  `If this was not you, somebody else uses your account or has your key. Set another password with "Forgot password" on the sign-in page, regenerate the key, delete the endpoints that are not yours, and then write to ${contactEmail}.`

type EndpointChange = 'added' | 'changed' | 'secret rotated'

const headings: Readonly<Record<EndpointChange, string>> = {
  added: 'A webhook endpoint was added',
  changed: 'A webhook endpoint was changed',
  'secret rotated': 'The secret of a webhook endpoint was rotated',
}

export const endpointChangedMail = (
  { email: to, fullname, timeZone }: MerchantProfile,
  what: EndpointChange,
  endpoint: { readonly url: string; readonly before?: string },
  change: Change,
): EmailContent => ({
  to,
  fullname,
  subject: `${headings[what]} in your Muripo account`,
  heading: headings[what],
  occasion: occasionOf(change, timeZone),
  facts: [
    ...facts(change),
    ['Address', hostText(endpoint.url)],
    ...(endpoint.before === undefined ? [] : [['Address before', hostText(endpoint.before)] as const]),
  ],
  lines: [
    `${byWhom(change)} Events about your payments, with the names and numbers of your customers, are sent to this address.`,
    ifNotYou(change),
  ],
})

/** The endpoints stay: one that an attacker added with the old key continues to receive events. */
export const keyRegeneratedMail = (
  { email: to, fullname, timeZone }: MerchantProfile,
  change: Change & { readonly mode: 'test' | 'live'; readonly urls: readonly string[] },
): EmailContent => ({
  to,
  fullname,
  subject: 'An application key of yours was regenerated',
  heading: 'An application key of yours was regenerated',
  occasion: occasionOf(change, timeZone),
  facts: [
    ...facts(change),
    ['Key', change.mode],
    ...change.urls.map((url, index) => [`Webhook endpoint ${index + 1}`, hostText(url)] as const),
  ],
  lines: [
    change.urls.length === 0
      ? 'The old key is refused from now on. This application has no webhook endpoints.'
      : 'The old key is refused from now on. The webhook endpoints above stay and go on receiving events: delete those that are not yours.',
    ifNotYou(change),
  ],
})
