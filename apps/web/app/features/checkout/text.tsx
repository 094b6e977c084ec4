import english from 'virtual:texts/payer/en'
import ndebele from 'virtual:texts/payer/nd'
import shona from 'virtual:texts/payer/sn'
import type { Locale } from '@muripo/contract/enums'
import type { payer } from '@muripo/locales/payer'
import { type Translate, translatorOf } from '@muripo/locales/translator'
import { createContext, type ReactNode, useContext } from 'react'
import { withElements } from '../../lib/sentence.tsx'

export type PayerText = Translate<typeof payer>

const translators: Readonly<Record<Locale, PayerText>> = {
  en: translatorOf<typeof payer>(english),
  sn: translatorOf<typeof payer>(shona),
  nd: translatorOf<typeof payer>(ndebele),
}

export const payerText = (locale: Locale): PayerText => translators[locale]

export const PageText = createContext<PayerText>(translators.en)

export const usePayerText = (): PayerText => useContext(PageText)

interface SentenceProps {
  readonly of: keyof typeof payer
  readonly values: Readonly<Record<string, ReactNode>>
}

/** A text whose values are elements. */
export function Sentence({ of, values }: SentenceProps) {
  const t = usePayerText() as (key: string, values: Readonly<Record<string, string>>) => string
  return withElements((marks) => t(of, marks), values)
}
