import { INTENT_PARAMETER, type PayersPage } from '@muripo/contract/checkout'
import type { Locale } from '@muripo/contract/enums'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import tokens from '../../components/ui/tokens.css?inline'
import { ScriptNonce, VIEWPORT } from '../../lib/page-meta.ts'
import { choiceHeaders, readerLocale } from '../../lib/reader-locale.ts'
import { CardPage } from './card.tsx'
import styles from './checkout.css?inline'
import { pageTokens } from './page-tokens.ts'
import { PaymentPage } from './payment.tsx'
import { ReceiptPage } from './receipt.tsx'
import { type Moves, movesOf, refreshOf, STILL } from './refresh.ts'
import { ResumePage } from './resume.tsx'
import { TroublePage } from './trouble.tsx'

export interface PageRequest {
  readonly request: Request
  /** The address of this gateway, without a path. */
  readonly origin: string
  /** The nonce that allows the page's own inline scripts. */
  readonly nonce: string
}

/** Renders a page of a payer: a whole document, which no framework takes over in the browser. */
export function payersPage(page: PayersPage, { request, origin, nonce }: PageRequest): Response {
  const locale = readerLocale(request, 'view' in page ? page.view.locale : null)
  const { pathname, searchParams } = new URL(request.url)
  const isStill = searchParams.has(STILL)
  const moves = page.kind === 'payment' && !isStill ? movesOf(page.view) : null
  const content = contentOf(page, {
    locale,
    origin,
    intent: searchParams.get(INTENT_PARAMETER),
    isStill,
    moves,
  })
  const html = renderToStaticMarkup(
    <ScriptNonce value={nonce}>
      <PageDocument locale={locale} refresh={moves && refreshOf(moves)}>
        {content}
      </PageDocument>
    </ScriptNonce>,
  )
  // The choice also applies to the pages below the payer's page.
  const below = page.kind === 'trouble' ? null : pathname.split('/').slice(0, 3).join('/')
  const headers = choiceHeaders(request, origin.startsWith('https:'), below)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('cache-control', 'no-store')
  return new Response(html, { status: statusOf(page), headers })
}

function statusOf(page: PayersPage): number {
  if (page.kind === 'trouble') return page.status
  if (page.kind === 'payment' && page.refused !== null) return 422
  return page.kind === 'resume' && page.problem === 'too-many' ? 429 : 200
}

interface Shown {
  readonly locale: Locale
  readonly origin: string
  readonly intent: string | null
  readonly isStill: boolean
  readonly moves: Moves | null
}

function contentOf(page: PayersPage, { locale, ...shown }: Shown): ReactNode {
  switch (page.kind) {
    case 'payment':
      return <PaymentPage page={page} locale={locale} {...shown} />
    case 'receipt':
      return <ReceiptPage page={page} locale={locale} />
    case 'card':
      return <CardPage page={page} locale={locale} />
    case 'resume':
      return <ResumePage page={page} locale={locale} />
    case 'trouble':
      return <TroublePage page={page} locale={locale} />
  }
}

const allStyles = pageTokens(tokens, styles) + styles

interface DocumentProps {
  readonly locale: Locale
  /** The refresh in a browser that runs no script. */
  readonly refresh: string | null
  readonly children: ReactNode
}

/** A page without bundled script, font or shared style sheet: the document contains everything. */
const PageDocument = ({ locale, refresh, children }: DocumentProps) => (
  <html lang={locale}>
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content={VIEWPORT} />
      <meta name="robots" content="noindex" />
      {/* The address is the permission to pay: other sites must not learn it. (`no-referrer` would also strip the Origin of the form's own
          POST, which is checked against forged requests.) */}
      <meta name="referrer" content="same-origin" />
      {refresh !== null && (
        <noscript>
          <meta httpEquiv="refresh" content={refresh} />
        </noscript>
      )}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, read at build time */}
      <style dangerouslySetInnerHTML={{ __html: allStyles }} />
    </head>
    <body>{children}</body>
  </html>
)
