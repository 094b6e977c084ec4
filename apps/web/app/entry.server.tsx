import { PassThrough } from 'node:stream'
import type { CardPageView, CheckoutPort, RefusedForm } from '@muripo/contract/checkout'
import { createReadableStreamFromReadable } from '@react-router/node'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider as Provider,
  RouterContextProvider,
  ServerRouter,
} from 'react-router'
import {
  addressContext,
  apiDocumentContext,
  cardPageContext,
  checkoutContext,
  logErrorContext,
  nonceContext,
  publicUrlContext,
  refusedFormContext,
} from './lib/context.ts'
import { FrameworkRequested, ReaderLocale, ScriptNonce } from './lib/page-meta.ts'
import { readerLocale } from './lib/reader-locale.ts'

export const streamTimeout = 5_000

/** The only entry of the server process to the pages: called for each request, its result is the load context. */
export function provideContext(input: {
  checkout: CheckoutPort
  address: string
  refusedForm: RefusedForm | null
  cardPage?: CardPageView | null
  nonce: string
  publicUrl?: string
  apiDocument: () => Promise<unknown>
  onError: (what: string, cause: unknown) => void
}): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(checkoutContext, input.checkout)
  context.set(addressContext, input.address)
  context.set(refusedFormContext, input.refusedForm)
  context.set(cardPageContext, input.cardPage ?? null)
  context.set(nonceContext, input.nonce)
  context.set(apiDocumentContext, input.apiDocument)
  context.set(logErrorContext, input.onError)
  context.set(publicUrlContext, input.publicUrl ?? null)
  return context
}

/** Logs one line with the server's logger, instead of the router's stack on the console. A caller's error is answered and not logged. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  const cause = isRouteErrorResponse(error) ? (error as { error?: unknown }).error : error
  ;(context as Provider).get(logErrorContext)('a page failed', cause)
}

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> | Response {
  headers.set('content-type', 'text/html; charset=utf-8')
  if (request.method === 'HEAD') return new Response(null, { status, headers })

  const nonce = loadContext.get(nonceContext)
  return new Promise((resolve, reject) => {
    let answerStatus = status
    const { pipe, abort } = renderToPipeableStream(
      <ScriptNonce value={nonce ?? undefined}>
        <ReaderLocale value={readerLocale(request)}>
          <FrameworkRequested value={request.headers.has('x-hydrate')}>
            <ServerRouter context={routerContext} url={request.url} {...(nonce ? { nonce } : {})} />
          </FrameworkRequested>
        </ReaderLocale>
      </ScriptNonce>,
      {
        ...(nonce ? { nonce } : {}),
        // Only whole pages are sent: streaming would add inline scripts, and the checkout has none.
        onAllReady() {
          clearTimeout(timer)
          const body = new PassThrough()
          pipe(body)
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status: answerStatus }))
        },
        onShellError(error) {
          clearTimeout(timer)
          reject(error)
        },
        onError(error) {
          answerStatus = 500
          loadContext.get(logErrorContext)('a page could not be rendered', error)
        },
      },
    )
    const timer = setTimeout(abort, streamTimeout + 1_000)
  })
}
