import type { Locale } from '@muripo/contract/enums'
import { translatorsFor } from '@muripo/locales/catalogues'
import type { EmailContent } from './email-content.ts'

/** The merchant who receives an email. */
export interface Recipient {
  readonly email: string
  readonly fullname: string
  readonly timeZone: string
  /** Null for English. */
  readonly locale: Locale | null
}

const texts = await translatorsFor('notices')

/** The texts of emails to merchants, in the merchant's language. */
export const noticeTexts = ({ locale }: Recipient): NoticeText => texts[locale ?? 'en']

export type NoticeText = (typeof texts)['en']

/** The sentence that names the address for answers, or no line where the operator has given none. */
export const contactLines = (
  t: NoticeText,
  sentence: 'questions' | 'writeThen',
  contact: string | null,
): readonly string[] => (contact === null ? [] : [t(sentence, { contact })])

/** An email to a merchant in the merchant's language, whose heading is its subject. */
export const noticeTo = (
  { email: to, fullname, locale }: Recipient,
  subject: string,
  content: Omit<EmailContent, 'to' | 'fullname' | 'locale' | 'subject' | 'heading'>,
): EmailContent => ({ to, fullname, locale: locale ?? 'en', subject, heading: subject, ...content })
