import './shell/type.css'
import './shell/base.css'
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import type { Locale } from '@muripo/contract/enums'
import { type ReactNode, useContext, useState } from 'react'
import { preload } from 'react-dom'
import {
  data,
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
} from 'react-router'
import type { Route } from './+types/root.ts'
import { NoticePage } from './components/notice-page.tsx'
import { originOf } from './lib/context.ts'
import {
  FrameworkRequested,
  type PageHandle,
  ReaderLocale,
  ScriptNonce,
  useOnDemand,
} from './lib/page-meta.ts'
import { PageLanguageContext, useCommonText, useLanguageOfMatches } from './lib/page-text.ts'
import { readerHeaders, readerLocale } from './lib/reader-locale.ts'
import { schemeScript, useColorScheme } from './shell/color-scheme.ts'
import pageScript from './shell/page-script.ts?inline-script'

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: inter, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

/** The address that canonical links and preview images begin with, and the language of the reader. */
export function loader({ request, context }: Route.LoaderArgs) {
  const origin = originOf(context, request)
  return data(
    { origin, locale: readerLocale(request) },
    { headers: readerHeaders(request, origin.startsWith('https:')) },
  )
}

export const shouldRevalidate = () => false

export function Layout({ children }: { readonly children: ReactNode }) {
  const plain = useMatches().findLast((match) => (match.handle as PageHandle | undefined)?.plainStyles)
  if (plain) {
    const { plainStyles = '', plainLocale, plainRefresh } = plain.handle as PageHandle
    const { loaderData } = plain
    return (
      <PlainDocument
        styles={plainStyles}
        locale={loaderData ? plainLocale?.(loaderData) : undefined}
        refresh={loaderData ? plainRefresh?.(loaderData) : null}
      >
        {children}
      </PlainDocument>
    )
  }
  return <LiveDocument>{children}</LiveDocument>
}

function LiveDocument({ children }: { readonly children: ReactNode }) {
  const { both, scheme, frameColour } = useColorScheme()
  // Only the scripts of the server's document run; a script that React inserts later does not.
  const [withScript] = useState(both)
  const nonce = useContext(ScriptNonce)
  const language = useLanguageOfMatches()
  const onDemand = useOnDemand()
  const withFramework = useContext(FrameworkRequested) || !onDemand
  if (import.meta.env.SSR && language.preload && withFramework)
    preload(language.preload, { as: 'fetch', crossOrigin: 'anonymous' })
  return (
    <html
      lang={language.locale}
      data-translation={language.preload ?? undefined}
      data-mantine-color-scheme={scheme}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={frameColour} />
        {withScript && (
          <script
            nonce={nonce}
            suppressHydrationWarning
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, the same for all readers
            dangerouslySetInnerHTML={{ __html: schemeScript }}
          />
        )}
        <Meta />
        <Links />
      </head>
      <body>
        <PageLanguageContext value={language}>{children}</PageLanguageContext>
        <ScrollRestoration />
        <script
          id="page-script"
          type="module"
          data-on-demand={onDemand || undefined}
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, the same for all readers
          dangerouslySetInnerHTML={{ __html: pageScript }}
        />
        {withFramework && <Scripts />}
      </body>
    </html>
  )
}

interface PlainDocumentProps {
  readonly styles: string
  /** Undefined for the page of an error, which is in the reader's language. */
  readonly locale: Locale | undefined
  readonly refresh: string | null | undefined
  readonly children: ReactNode
}

/** A page without bundled script, font or shared style sheet: the document contains everything. */
function PlainDocument({ styles, locale, refresh, children }: PlainDocumentProps) {
  const readersOwn = useContext(ReaderLocale)
  return (
    <html lang={locale ?? readersOwn}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        {refresh && (
          <noscript>
            <meta httpEquiv="refresh" content={refresh} />
          </noscript>
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, read at build time */}
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>{children}</body>
    </html>
  )
}

export default function App() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const t = useCommonText()
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <NoticePage code="404" title={t('pageMissing')}>
        {t('pageMissingText')}
      </NoticePage>
    )
  }
  return (
    <NoticePage code="500" title={t('pageBroken')}>
      {t('pageBrokenText')}
    </NoticePage>
  )
}
