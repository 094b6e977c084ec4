import english from 'virtual:texts/payments/en'
import type { payments } from '@muripo/locales/payments'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../lib/page-text.ts'

export type PaymentsText = Translate<typeof payments>

export const usePaymentsText = (): PaymentsText => usePageText<typeof payments>(english)
