import type { Locale } from '@muripo/contract/enums'
import { translatorsFor } from '@muripo/locales/catalogues'
import { momentOf } from '@muripo/locales/moment'

const texts = await translatorsFor('payer')

/** The content of an email. The queue stores it, and the job that sends the email renders it. */
export interface EmailContent {
  readonly to: string
  /** The language of the texts; English when absent. */
  readonly locale?: Locale
  readonly subject: string
  /** The address for replies; without it, the sender of all emails. */
  readonly replyTo?: string
  /** The subject matter in a few words. */
  readonly heading: string
  readonly code?: string
  /** The name in the greeting. */
  readonly fullname?: string
  /** A highlighted warning. */
  readonly warning?: string
  readonly occasion?: Occasion
  /** Names and values. Other people choose some values, so a value that could be a link is not shown. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly lines: readonly string[]
  /** A page of this gateway, never an address from outside. */
  readonly link?: Link
  /** Another person's text, line by line as it was written. */
  readonly quote?: string
}

export interface Link {
  readonly label: string
  readonly url: string
}

/** Time, device and network of the request that the email is about. */
export interface Occasion {
  readonly when: string
  readonly device?: string
  readonly network?: string
}

/**
 * "21 November 2026 at 00:30 (Africa/Harare)".
 * @param locale null for English
 */
export const momentText = (at: Date, timeZone: string, locale: Locale | null = null): string =>
  `${texts[locale ?? 'en']('moment', momentOf(at, timeZone))} (${timeZone})`

/** Whether a mail program may make a link of a text that another person chose. */
export const couldBeLink = (text: string): boolean => /[/:@\\]|\.\p{L}{2}/u.test(text)
