import type { Locale } from '@muripo/contract/enums'
import type { TranslatedLocale } from '@muripo/locales/catalogues'
import { type Compiled, type Texts, type Translate, translatorOf } from '@muripo/locales/translator'
import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import { useMatches, useRouteLoaderData } from 'react-router'
import { exchange } from './http.ts'
import { loadModule } from './lazy.ts'
import type { PageHandle } from './page-meta.ts'

interface Translation {
  readonly address: string
  /** Null in the browser, which fetches them from the address. */
  readonly texts: Compiled | null
}

/** The translations of a group of pages. */
export type Translations = Readonly<Record<TranslatedLocale, Translation>>

export interface PageLanguage {
  /** The language of the page's texts. */
  readonly locale: Locale
  /** The texts in this language; null in English, which the code contains. */
  readonly translation: Compiled | null
  /** The reader's language is not here yet. */
  readonly isLoading: boolean
}

const english: PageLanguage = { locale: 'en', translation: null, isLoading: false }

export const PageLanguageContext = createContext(english)

export const usePageLanguage = (): PageLanguage => useContext(PageLanguageContext)

/** The texts of the page by the keys of a catalogue, whose English texts are given. */
export function usePageText<Source extends Texts>(englishTexts: Compiled): Translate<Source> {
  const { translation } = usePageLanguage()
  return useMemo(
    () => translatorOf<Source>(...(translation === null ? [] : [translation]), englishTexts),
    [translation, englishTexts],
  )
}

/** The fetched translations by their addresses; null for one that could not be fetched. */
const fetched = new Map<string, Compiled | null>()

async function fetchTranslation(address: string): Promise<void> {
  const texts = await loadModule(
    async () => {
      const { data, error } = await exchange<Compiled>(address, { method: 'GET' })
      if (data === null) throw new Error(error ?? address)
      return data
    },
    { mayReload: false },
  )
  fetched.set(address, texts)
}

/** Fetches the translation that the server's document is in, so that the first rendering in the browser is the same. */
export async function fetchTranslationOfDocument(): Promise<void> {
  const preload = document.querySelector<HTMLLinkElement>('link[rel=preload][as=fetch]')
  if (!preload) return
  const address = new URL(preload.href).pathname
  await fetchTranslation(address)
  // React leaves the attributes of the server's document as they are.
  if (fetched.get(address) === null) document.documentElement.lang = english.locale
}

/** The translation that the page needs; undefined for a page in English. */
function useNeededTranslation(): (Translation & { readonly locale: Locale }) | undefined {
  const locale = (useRouteLoaderData('root') as { readonly locale?: Locale } | undefined)?.locale ?? 'en'
  const matches = useMatches()
  if (locale === 'en') return undefined
  const match = matches.findLast(({ handle }) => (handle as PageHandle | undefined)?.translations)
  const translations = (match?.handle as PageHandle | undefined)?.translations
  return translations && { locale, ...translations[locale] }
}

/**
 * The language of the shown page: the reader's, if the page is translated and its texts are here, or else English.
 * @returns with the address of a translation that the browser has to fetch before it can render the page
 */
export function useLanguageOfMatches(): PageLanguage & { readonly preload: string | null } {
  const needed = useNeededTranslation()
  const address = needed?.texts === null ? needed.address : null
  const translation = needed?.texts ?? (address === null ? null : fetched.get(address))
  const [, setFetched] = useState<string>()
  useEffect(() => {
    if (address !== null && !fetched.has(address))
      void fetchTranslation(address).then(() => setFetched(address))
  }, [address])
  const preload = needed?.address ?? null
  return useMemo(
    () =>
      needed?.locale && translation
        ? { locale: needed.locale, translation, isLoading: false, preload }
        : { ...english, isLoading: translation === undefined, preload },
    [needed?.locale, translation, preload],
  )
}
