import type { Locale } from '@muripo/contract/enums'
import { coarse } from '../../../platform/http/network.ts'
import { momentText, type Occasion } from '../../../platform/mail/email-content.ts'
import { browserName } from './browser-name.ts'
import type { Visitor } from './visitor.ts'

/** The origin of a request, as mails describe it. */
export const occasion = (
  { userAgent, address }: Pick<Visitor, 'userAgent' | 'address'>,
  at: Date,
  timeZone: string,
  locale: Locale | null = null,
): Occasion => ({
  when: momentText(at, timeZone, locale),
  device: browserName(userAgent),
  network: coarse(address),
})
