import './components/ui/tokens.css'
import './components/ui/surface.css'
import './components/ui/flow.css'
import './components/ui/font.css'
import './shell/base.css'
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
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
  useLocation,
  useMatches,
} from 'react-router'
import type { Route } from './+types/root.ts'
import { NoticePage } from './components/notice-page.tsx'
import { originOf, testGatewayContext } from './lib/context.ts'
import { FrameworkRequested, ScriptNonce, useOnDemand, usePageHandle, VIEWPORT } from './lib/page-meta.ts'
import { PageLanguageContext, useCommonText, useLanguageOfMatches } from './lib/page-text.ts'
import { choiceHeaders, readerLocale } from './lib/reader-locale.ts'
import { schemeScript, useColorScheme } from './shell/color-scheme.ts'
import { earlyCallsScript } from './shell/dashboard/early-calls.ts'
import pageScript from './shell/page-script.ts?inline-script'

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

/** The address that canonical links and preview images begin with, the language of the reader, and the mode of the gateway. */
export function loader({ request, context }: Route.LoaderArgs) {
  const origin = originOf(context, request)
  return data(
    { origin, locale: readerLocale(request), isTestGateway: context.get(testGatewayContext) },
    { headers: choiceHeaders(request, origin.startsWith('https:')) },
  )
}

export const shouldRevalidate = () => false

export function Layout({ children }: { readonly children: ReactNode }) {
  const { both, scheme, frameColour } = useColorScheme()
  // Only the scripts of the server's document run; a script that React inserts later does not.
  const [withScript] = useState(both)
  const nonce = useContext(ScriptNonce)
  const language = useLanguageOfMatches()
  const onDemand = useOnDemand()
  const calls = useFirstCalls()
  const withFramework = useContext(FrameworkRequested) || !onDemand
  if (import.meta.env.SSR) {
    // The dashboard shows no text before its scripts have run: the font must not share a slow line with them.
    if (calls === undefined) preload(inter, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
    if (language.preload && withFramework)
      preload(language.preload, { as: 'fetch', crossOrigin: 'anonymous' })
  }
  return (
    <html lang={language.locale} data-translation={language.preload ?? undefined} data-color-scheme={scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content={VIEWPORT} />
        <meta name="theme-color" content={frameColour} />
        {withScript && (
          <script
            nonce={nonce}
            data-calls={calls}
            suppressHydrationWarning
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, the same for all readers
            dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? schemeScript + earlyCallsScript : '' }}
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

function useCallsOfPage(): string | undefined {
  const firstCalls = usePageHandle('firstCalls')
  const { pathname } = useLocation()
  const params = useMatches().at(-1)?.params ?? {}
  return firstCalls?.(pathname, params).join(' ')
}

/** The calls that the head of the server's document sends. */
const useFirstCalls = import.meta.env.SSR ? useCallsOfPage : () => undefined

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
