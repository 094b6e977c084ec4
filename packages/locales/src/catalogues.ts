import { readFile } from 'node:fs/promises'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Locale } from '@muripo/contract/words'
import { payer } from './payer.ts'
import { readTranslations } from './po.ts'
import type { Compiled, Texts } from './translator.ts'

/** The English texts of each catalogue. */
export const catalogues = { payer } as const satisfies Readonly<Record<string, Texts>>
export type CatalogueName = keyof typeof catalogues

/** The file with the translations of a catalogue. */
export const fileOf = (name: CatalogueName, locale: Exclude<Locale, 'en'>): URL =>
  new URL(`../${locale}/${name}.po`, import.meta.url)

/** The compiled texts of a catalogue. A text without a translation is English. */
export async function compiledTexts(name: CatalogueName, locale: Locale): Promise<Compiled> {
  const english: Texts = catalogues[name]
  const translated = locale === 'en' ? {} : readTranslations(await readFile(fileOf(name, locale), 'utf8'))
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [key, compileMessage(translated[key] || text)]),
  )
}
