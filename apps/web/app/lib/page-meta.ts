import { type Locale, locales } from '@muripo/contract/enums'
import type { TranslatedLocale } from '@muripo/locales/catalogues'
import { LOCALE_PARAMETER } from '@muripo/locales/languages'
import type { Compiled } from '@muripo/locales/translator'
import { createContext } from 'react'
import { type MetaDescriptor, useMatches } from 'react-router'

/** `minimum-scale`: an element that is placed outside of a phone's window for a moment must not widen it, which would place the element again. */
export const VIEWPORT = 'width=device-width, initial-scale=1, minimum-scale=1'

export interface PageWords {
  readonly title: string
  /** One sentence for search results and previews. */
  readonly description: string
  /** The language of a page that exists in all languages. */
  readonly locale?: Locale
}

export interface MetaArgs {
  readonly location: { readonly pathname: string }
  readonly matches: ReadonlyArray<{ readonly id: string; readonly loaderData?: unknown } | undefined>
}

/** The head of a public page. The root's loader provides the origin. */
export function pageMeta({ title, description, locale }: PageWords) {
  return ({ location, matches }: MetaArgs): MetaDescriptor[] => {
    const root = matches.find((match) => match?.id === 'root')?.loaderData as { origin?: string } | undefined
    const origin = root?.origin ?? ''
    const page = origin + (location.pathname.replace(/\/+$/, '') || '/')
    const addressIn = (other: Locale) => (other === 'en' ? page : `${page}?${LOCALE_PARAMETER}=${other}`)
    const address = addressIn(locale ?? 'en')
    const translations =
      locale === undefined
        ? []
        : [...locales.map((other) => [other, other] as const), ['x-default', 'en'] as const]
    return [
      { title },
      { name: 'description', content: description },
      { tagName: 'link', rel: 'canonical', href: address },
      ...translations.map(([language, other]) => ({
        tagName: 'link',
        rel: 'alternate',
        hrefLang: language,
        href: addressIn(other),
      })),
      { property: 'og:site_name', content: 'Muripo' },
      { property: 'og:type', content: 'website' },
      { property: 'og:title', content: title },
      { property: 'og:description', content: description },
      { property: 'og:url', content: address },
      { property: 'og:image', content: `${origin}/social.png` },
      { property: 'og:image:width', content: '1200' },
      { property: 'og:image:height', content: '630' },
      { property: 'og:image:alt', content: 'Muripo: seamless payment solutions for your business' },
      { name: 'twitter:card', content: 'summary_large_image' },
      { name: 'twitter:title', content: title },
      { name: 'twitter:description', content: description },
      { name: 'twitter:image', content: `${origin}/social.png` },
    ]
  }
}

export interface Translation {
  readonly address: string
  /** Null in the browser, which fetches them from the address. */
  readonly texts: Compiled | null
}

/** The translations of a group of pages. */
export type Translations = Readonly<Record<TranslatedLocale, Translation>>

/** The properties of the document that a route module sets through its `handle`. */
export interface PageHandle {
  /** The translations of the page's texts; a page without them is in English. */
  readonly translations?: Translations
  /** The page is in English in a frame that is translated. */
  readonly isEnglish?: boolean
  /** The page is for reading: its framework is loaded when a reader needs it (`shell/page-script.ts`). */
  readonly onDemand?: boolean
  /** The page is the same for every reader of a language: the server renders it once (`platform/http/page-cache.ts`). */
  readonly isConstant?: boolean
  /** Whether the page has a dark scheme; the other pages are always light. */
  readonly dark?: boolean
  /** The calls that the page sends first, for the head of the document. */
  readonly firstCalls?: (
    pathname: string,
    params: Readonly<Record<string, string | undefined>>,
  ) => readonly string[]
  /** The page of the dashboard fills the window, without the dashboard's frame. */
  readonly isWhole?: boolean
  /** The page shows samples and calls nothing. */
  readonly sample?: boolean
}

/** The nonce that allows the page's own inline scripts. Known on the server only: a browser hides it from the page. */
export const ScriptNonce = createContext<string | undefined>(undefined)

/** Whether the response contains the framework's script even if the page loads it on demand. True in the browser. */
export const FrameworkRequested = createContext(true)

/** A property of the page: of its own `handle`, or else of the innermost layout that sets it. */
export const usePageHandle = <Name extends keyof PageHandle>(name: Name): PageHandle[Name] | undefined =>
  useMatches()
    .map(({ handle }) => (handle as PageHandle | undefined)?.[name])
    .findLast((value) => value !== undefined)

/** Whether the framework of this page is loaded on demand. */
export const useOnDemand = (): boolean => usePageHandle('onDemand') ?? false
