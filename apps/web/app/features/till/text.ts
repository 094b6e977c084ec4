import english from 'virtual:texts/till/en'
import type { till } from '@muripo/locales/till'
import type { Translate } from '@muripo/locales/translator'
import { plainAmount } from '../../lib/format.ts'
import { usePageText } from '../../lib/page-text.ts'

export type TillText = Translate<typeof till>

export const useTillText = (): TillText => usePageText<typeof till>(english)

/** "USD 25.00", in one line. */
export const priceText = (currency: string, amount: number): string =>
  `${currency}\u00a0${plainAmount(amount)}`
