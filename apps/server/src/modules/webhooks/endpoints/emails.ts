import type { Actor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { coarse } from '../../../platform/http/network.ts'
import { type EmailContent, momentText, type Occasion } from '../../../platform/mail/email-content.ts'
import { contactLines, type NoticeText, noticeTexts, noticeTo } from '../../../platform/mail/recipient.ts'
import { findApplicationName } from '../../applications/index.ts'
import { type MerchantProfile, merchantProfile } from '../../identity/index.ts'
import type { Endpoint } from './store-endpoints.ts'

interface About {
  readonly applicationName: string
  readonly at: Date
}

/** An email names the application and not the address, which a mail program could turn into a link. */
const applicationFact = (t: NoticeText, applicationName: string): [string, string] => [
  t('application'),
  applicationName,
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
    facts: [applicationFact(t, about.applicationName)],
    lines: [t(line), t('endpointWhere', { badge })],
  })
}

/** A host that mail programs do not turn into a link. */
function hostText(t: NoticeText, url: string): string {
  const { hostname, port } = new URL(url)
  const host = hostname.replaceAll('.', '[.]').replaceAll(':', '[:]')
  return port === '' ? host : t('hostWithPort', { host, port })
}

const originOf = ({ credential }: Actor) => (credential?.startsWith('key_') ? 'key' : 'dashboard')

const occasionOf = (at: Date, { address }: Actor, { timeZone, locale }: MerchantProfile): Occasion => ({
  when: momentText(at, timeZone, locale),
  ...(address === null ? {} : { network: coarse(address) }),
})

const headings = {
  added: 'endpointAdded',
  changed: 'endpointChanged',
  'secret rotated': 'secretRotated',
} as const

/** Mails each change of an endpoint to the owner: an attacker who wants to read a merchant's events adds or changes an endpoint. */
export async function mailEndpointChange(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  change: { readonly kind: keyof typeof headings; readonly urlBefore?: string },
  { accountId, applicationId, url }: Endpoint,
): Promise<void> {
  const { kind, urlBefore = url } = change
  const merchant = await merchantProfile(tx, accountId)
  const applicationName = await findApplicationName(tx, accountId, applicationId)
  const t = noticeTexts(merchant)
  const mail = noticeTo(merchant, t(headings[kind]), {
    occasion: occasionOf(ctx.clock.now(), actor, merchant),
    facts: [
      applicationFact(t, applicationName),
      [t('endpointAddress'), hostText(t, url)],
      ...(urlBefore === url ? [] : [[t('endpointAddressBefore'), hostText(t, urlBefore)] as const]),
    ],
    lines: [
      t('endpointBy', { by: originOf(actor) }),
      t('endpointUnexpected'),
      ...contactLines(t, 'writeThen', ctx.config.contactEmail),
    ],
  })
  await ctx.mailer.send(tx, mail)
}

/** The endpoints stay: one that an attacker added with the old key continues to receive events. */
export function keyRegeneratedMail(
  merchant: MerchantProfile,
  change: About & {
    readonly actor: Actor
    readonly contactEmail: string | null
    readonly mode: 'test' | 'live'
    readonly urls: readonly string[]
  },
): EmailContent {
  const t = noticeTexts(merchant)
  return noticeTo(merchant, t('keyRegenerated'), {
    occasion: occasionOf(change.at, change.actor, merchant),
    facts: [
      applicationFact(t, change.applicationName),
      [t('key'), t('keyOfMode', { mode: change.mode })],
      ...change.urls.map(
        (url, index) => [t('endpointNumber', { number: index + 1 }), hostText(t, url)] as const,
      ),
    ],
    lines: [
      t(change.urls.length === 0 ? 'keyRegeneratedAlone' : 'keyRegeneratedEndpoints'),
      t('endpointUnexpected'),
      ...contactLines(t, 'writeThen', change.contactEmail),
    ],
  })
}
