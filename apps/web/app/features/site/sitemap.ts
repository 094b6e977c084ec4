import { type Locale, locales } from '@muripo/contract/enums'
import { LOCALE_PARAMETER } from '@muripo/locales/languages'
import { originOf } from '../../lib/context.ts'
import type { Route } from './+types/sitemap.ts'

/** The pages that have an address in each language. The head of each names the same addresses (`pageMeta`). */
const translatedPages = ['/', '/pricing', '/about', '/contact', '/help', '/status'] as const

const englishPages = [
  '/documentation',
  '/api-reference',
  '/blog',
  '/careers',
  '/privacy',
  '/terms',
  '/cookies',
  '/dev-support',
] as const

/** The addresses for search engines. Each entry of a translated page lists all its languages, as search engines ask for. */
export function loader({ request, context }: Route.LoaderArgs) {
  const origin = originOf(context, request)
  const addressOf = (path: string, locale: Locale) =>
    escaped(origin + path + (locale === 'en' ? '' : `?${LOCALE_PARAMETER}=${locale}`))
  const alternatesOf = (path: string) =>
    [...locales.map((locale) => [locale, locale] as const), ['x-default', 'en'] as const].map(
      ([language, locale]) =>
        `<xhtml:link rel="alternate" hreflang="${language}" href="${addressOf(path, locale)}"/>`,
    )
  const entries = [
    ...translatedPages.flatMap((path) =>
      locales.map((locale) => [`<loc>${addressOf(path, locale)}</loc>`, ...alternatesOf(path)].join('')),
    ),
    ...englishPages.map((path) => `<loc>${addressOf(path, 'en')}</loc>`),
  ]
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.map((entry) => `  <url>${entry}</url>`).join('\n')}
</urlset>
`
  return new Response(body, { headers: { 'content-type': 'application/xml; charset=utf-8' } })
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
