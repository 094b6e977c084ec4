import type { Actor } from '../../../platform/audit/actor.ts'
import { coarse } from '../../../platform/http/network.ts'
import { type EmailContent, momentText, type Occasion } from '../../../platform/mail/email-content.ts'
import { type NoticeText, noticeTexts, noticeTo } from '../../../platform/mail/recipient.ts'
import type { MerchantProfile } from '../../identity/index.ts'

interface About {
  readonly applicationName: string
  readonly at: Date
}

/** The facts leave out the address, which a mail program could make a link of: the badge on the dashboard identifies the endpoint. */
const facts = (t: NoticeText, { applicationName }: About): [string, string][] => [
  [t('application'), applicationName],
]

const troubles = {
  failing: { heading: 'endpointFailing', line: 'endpointFailingWhy', badge: 'failing' },
  unproven: { heading: 'endpointOff', line: 'endpointNeverAnswered', badge: 'off' },
  gone: { heading: 'endpointOff', line: 'endpointGone', badge: 'off' },
} as const

/** The reasons for which deliveries change the status of an endpoint. */
export type EndpointTrouble = keyof typeof troubles

export function endpointTroubleMail(
  merchant: MerchantProfile,
  trouble: EndpointTrouble,
  about: About,
): EmailContent {
  const t = noticeTexts(merchant)
  const { heading, line, badge } = troubles[trouble]
  return noticeTo(merchant, t(heading), {
    occasion: { when: momentText(about.at, merchant.timeZone, merchant.locale) },
    facts: facts(t, about),
    lines: [t(line), t('endpointWhere', { badge })],
  })
}

/** A host that mail programs do not turn into a link. */
function hostText(t: NoticeText, url: string): string {
  const { hostname, port } = new URL(url)
  const host = hostname.replaceAll('.', '[.]').replaceAll(':', '[:]')
  return port === '' ? host : t('hostWithPort', { host, port })
}

export interface Change extends About {
  readonly actor: Actor
  readonly contactEmail: string
}

const originOf = ({ actor }: Change) => (actor.credential?.startsWith('key_') ? 'key' : 'dashboard')

const occasionOf = ({ at, actor: { address } }: Change, { timeZone, locale }: MerchantProfile): Occasion => ({
  when: momentText(at, timeZone, locale),
  ...(address === null ? {} : { network: coarse(address) }),
})

const headings = {
  added: 'endpointAdded',
  changed: 'endpointChanged',
  'secret rotated': 'secretRotated',
} as const

export function endpointChangedMail(
  merchant: MerchantProfile,
  what: keyof typeof headings,
  endpoint: { readonly url: string; readonly before?: string },
  change: Change,
): EmailContent {
  const t = noticeTexts(merchant)
  const { url, before } = endpoint
  return noticeTo(merchant, t(headings[what]), {
    occasion: occasionOf(change, merchant),
    facts: [
      ...facts(t, change),
      [t('endpointAddress'), hostText(t, url)],
      ...(before === undefined ? [] : [[t('endpointAddressBefore'), hostText(t, before)] as const]),
    ],
    lines: [
      t('endpointBy', { by: originOf(change) }),
      t('endpointUnexpected', { contact: change.contactEmail }),
    ],
  })
}

/** The endpoints stay: one that an attacker added with the old key continues to receive events. */
export function keyRegeneratedMail(
  merchant: MerchantProfile,
  change: Change & { readonly mode: 'test' | 'live'; readonly urls: readonly string[] },
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('keyRegenerated'), {
    occasion: occasionOf(change, merchant),
    facts: [
      ...facts(t, change),
      [t('key'), t('keyOfMode', { mode: change.mode })],
      ...change.urls.map(
        (url, index) => [t('endpointNumber', { number: index + 1 }), hostText(t, url)] as const,
      ),
    ],
    lines: [
      t(change.urls.length === 0 ? 'keyRegeneratedAlone' : 'keyRegeneratedEndpoints'),
      t('endpointUnexpected', { contact: change.contactEmail }),
    ],
  })
}
