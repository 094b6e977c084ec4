import english from 'virtual:texts/overview/en'
import type { overview } from '@muripo/locales/overview'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../lib/page-text.ts'

export type OverviewText = Translate<typeof overview>

export const useOverviewText = (): OverviewText => usePageText<typeof overview>(english)
