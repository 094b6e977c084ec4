import type { AccountType } from './enums.ts'

export const documentTypes = {
  individual: ['passport', 'national_id', 'driver_license'],
  business: ['certificate_of_incorporation', 'tax_id'],
} as const satisfies Record<AccountType, readonly string[]>

export const allDocumentTypes = [...documentTypes.individual, ...documentTypes.business] as const
export type DocumentType = (typeof allDocumentTypes)[number]
