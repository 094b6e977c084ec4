import english from 'virtual:texts/payer/en'
import ndebele from 'virtual:texts/payer/nd'
import shona from 'virtual:texts/payer/sn'
import type { Locale } from '@muripo/contract/enums'
import type { payer } from '@muripo/locales/payer'
import { type Translate, translatorOf } from '@muripo/locales/translator'
import { createContext, useContext } from 'react'

export type PayerText = Translate<typeof payer>

const translators: Readonly<Record<Locale, PayerText>> = {
  en: translatorOf<typeof payer>(english),
  sn: translatorOf<typeof payer>(shona),
  nd: translatorOf<typeof payer>(ndebele),
}

export const payerText = (locale: Locale): PayerText => translators[locale]

export const PageText = createContext<PayerText>(translators.en)

export const useText = (): PayerText => useContext(PageText)
