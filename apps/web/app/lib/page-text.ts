import commonEnglish from 'virtual:texts/common/en'
import type { Locale } from '@muripo/contract/enums'
import type { common } from '@muripo/locales/common'
import { acceptedLocale, CHOICE_SECONDS, READER_COOKIE } from '@muripo/locales/languages'
import { type Compiled, type Texts, type Translate, translatorOf } from '@muripo/locales/translator'
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { useRouteLoaderData } from 'react-router'
import { exchange } from './http.ts'
import { loadModule } from './lazy.ts'
import { type Translation, type Translations, usePageHandle } from './page-meta.ts'
import { createListeners } from './signals.ts'

export interface PageLanguage {
  /** The language of the page's texts. */
  readonly locale: Locale
  /** The texts in this language; null in English, which the code contains. */
  readonly translation: Compiled | null
  /** Whether the texts of the reader's language are still loading. */
  readonly isLoading: boolean
  /** The translations of the page's group, where it has some. */
  readonly translations?: Translations | undefined
}

/** The language of a page, or of a part of it, that is not translated. */
export const english: PageLanguage = { locale: 'en', translation: null, isLoading: false }

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

/** The texts that all pages share. */
export const useCommonText = () => usePageText<typeof common>(commonEnglish)

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

/** Fetches the translation of the server's document, so that the first rendering in the browser equals the document. */
export async function fetchTranslationOfDocument(): Promise<void> {
  const address = document.documentElement.dataset.translation
  if (address === undefined) return
  await fetchTranslation(address)
  // React leaves the attributes of the server's document as they are.
  if (fetched.get(address) === null) document.documentElement.lang = english.locale
}

/** The language that was chosen after the document was loaded; null without a choice. */
let chosen: Locale | null = null
const choice = createListeners()

/**
 * The reader's language if its texts are loaded, otherwise English.
 * @param ofDocument the language of the document that the server sent
 */
export function languageIn(
  translations: Translations,
  ofDocument: Locale,
): Pick<PageLanguage, 'locale' | 'translation'> {
  const locale = chosen ?? ofDocument
  if (locale === 'en') return english
  const { texts, address } = translations[locale]
  const translation = texts ?? fetched.get(address) ?? null
  return translation === null ? english : { locale, translation }
}

/** The translation that the page needs; undefined for a page in English. */
function useNeededTranslation(
  translations: Translations | undefined,
): (Translation & { readonly locale: Locale }) | undefined {
  const ofDocument = (useRouteLoaderData('root') as { readonly locale?: Locale } | undefined)?.locale ?? 'en'
  const locale =
    useSyncExternalStore(
      choice.subscribe,
      () => chosen,
      () => null,
    ) ?? ofDocument
  return locale === 'en' ? undefined : translations && { locale, ...translations[locale] }
}

/**
 * Returns a function that shows this page and all later ones in another language, without loading the document again; null is the language
 * of the browser. It returns false where the texts could not be fetched: then nothing changes.
 */
export function useChooseLanguage(): (wish: Locale | null) => Promise<boolean> {
  const { translations } = usePageLanguage()
  return useCallback(
    async (wish) => {
      const locale = wish ?? acceptedLocale(navigator.languages.join()) ?? 'en'
      const address = locale === 'en' ? null : (translations?.[locale].address ?? null)
      if (address !== null && !fetched.get(address)) {
        await fetchTranslation(address)
        if (!fetched.get(address)) return false
      }
      const seconds = wish === null ? 0 : CHOICE_SECONDS
      const secure = window.location.protocol === 'https:' ? '; Secure' : ''
      // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store
      document.cookie = `${READER_COOKIE}=${locale}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`
      chosen = locale
      choice.notify()
      return true
    },
    [translations],
  )
}

/**
 * The language of the shown page: the reader's if the page is translated and its texts are loaded, otherwise English.
 * @returns with the address of a translation that the browser has to fetch before it can render the page
 */
export function useLanguageOfMatches(): PageLanguage & { readonly preload: string | null } {
  const translations = usePageHandle('translations')
  const needed = useNeededTranslation(translations)
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
        ? { locale: needed.locale, translation, isLoading: false, translations, preload }
        : { ...english, isLoading: translation === undefined, translations, preload },
    [needed?.locale, translation, translations, preload],
  )
}
