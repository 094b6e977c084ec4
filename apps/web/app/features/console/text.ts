import english from 'virtual:texts/console/en'
import englishMoney from 'virtual:texts/consoleMoney/en'
import englishOperation from 'virtual:texts/consoleOperation/en'
import englishPages from 'virtual:texts/consolePages/en'
import englishRecords from 'virtual:texts/consoleRecords/en'
import type { OperatorRole } from '@muripo/contract/console-permissions'
import type { DocumentType } from '@muripo/contract/document-types'
import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
import type { console } from '@muripo/locales/console'
import type { consoleMoney } from '@muripo/locales/console-money'
import type { consoleOperation } from '@muripo/locales/console-operation'
import type { consolePages } from '@muripo/locales/console-pages'
import type { consoleRecords } from '@muripo/locales/console-records'
import type { Translate, ValuesOf } from '@muripo/locales/translator'
import { plainAmount } from '../../lib/format.ts'
import { usePageText } from '../../lib/page-text.ts'

type Texts = typeof console &
  typeof consolePages &
  typeof consoleOperation &
  typeof consoleMoney &
  typeof consoleRecords

export type ConsoleText = Translate<Texts>
/** The key of the title of a page. */
export type ConsoleTitle = Extract<keyof Texts, `console${string}Page`>

const all = { ...english, ...englishPages, ...englishOperation, ...englishMoney, ...englishRecords }

export const useConsoleText = (): ConsoleText => usePageText<Texts>(all)

type PlainKeys = {
  [Key in keyof Texts]: ValuesOf<Texts[Key]> extends [] ? Key : never
}
/** The key of a text without values. */
export type ConsoleKey = PlainKeys[keyof Texts]

/** Returns a function for the texts of the values of an enumeration. */
export const textsOf =
  <Value extends string>(keys: Readonly<Record<Value, ConsoleKey>>) =>
  (value: Value, t: ConsoleText): string =>
    t(keys[value])

export const roleText = textsOf<OperatorRole>({
  support: 'consoleSupport',
  risk: 'consoleRisk',
  finance: 'consoleFinance',
  admin: 'consoleAdmin',
})

export const merchantStateText = textsOf<MerchantStatus>({
  new: 'merchantNew',
  approved: 'merchantApproved',
  suspended: 'merchantSuspended',
  closed: 'merchantClosed',
})

export const documentText = textsOf<DocumentType>({
  passport: 'documentPassport',
  national_id: 'documentNationalId',
  driver_license: 'documentDriver',
  certificate_of_incorporation: 'documentCertificate',
  tax_id: 'documentTax',
})

/** "USD 25.00", in one line. */
export const priceText = (currency: string, amount: number): string =>
  `${currency}\u00a0${plainAmount(amount)}`
