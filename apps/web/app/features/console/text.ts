import english from 'virtual:texts/console/en'
import englishOperation from 'virtual:texts/consoleOperation/en'
import englishPages from 'virtual:texts/consolePages/en'
import type { OperatorRole } from '@muripo/contract/console-permissions'
import type { DocumentType, MerchantStatus } from '@muripo/contract/enums'
import type { console } from '@muripo/locales/console'
import type { consoleOperation } from '@muripo/locales/console-operation'
import type { consolePages } from '@muripo/locales/console-pages'
import type { Translate } from '@muripo/locales/translator'
import { plainAmount } from '../../lib/format.ts'
import { usePageText } from '../../lib/page-text.ts'

type Texts = typeof console & typeof consolePages & typeof consoleOperation

export type ConsoleText = Translate<Texts>
/** The key of the title of a page. */
export type ConsoleTitle = Extract<keyof Texts, `console${string}Page`>

const all = { ...english, ...englishPages, ...englishOperation }

export const useConsoleText = (): ConsoleText => usePageText<Texts>(all)

const roleNames = {
  support: 'consoleSupport',
  risk: 'consoleRisk',
  finance: 'consoleFinance',
  admin: 'consoleAdmin',
} as const satisfies Readonly<Record<OperatorRole, keyof Texts>>

export const roleText = (role: OperatorRole, t: ConsoleText): string => t(roleNames[role])

const merchantStates = {
  new: 'merchantNew',
  approved: 'merchantApproved',
  suspended: 'merchantSuspended',
  closed: 'merchantClosed',
} as const satisfies Readonly<Record<MerchantStatus, keyof Texts>>

export const merchantStateText = (status: MerchantStatus, t: ConsoleText): string => t(merchantStates[status])

const documents = {
  passport: 'documentPassport',
  national_id: 'documentNationalId',
  driver_license: 'documentDriver',
  certificate_of_incorporation: 'documentCertificate',
  tax_id: 'documentTax',
} as const satisfies Readonly<Record<DocumentType, keyof Texts>>

export const documentText = (type: DocumentType, t: ConsoleText): string => t(documents[type])

/** "USD 25.00", in one line. */
export const priceText = (currency: string, amount: number): string =>
  `${currency}\u00a0${plainAmount(amount)}`
