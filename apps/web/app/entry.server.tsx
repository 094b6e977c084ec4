import { PassThrough } from 'node:stream'
import type { Status } from '@muripo/contract/site'
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
import { payersPage } from './features/checkout/payers-page.tsx'
import {
  apiDocumentContext,
  developmentContext,
  logErrorContext,
  nonceContext,
  publicUrlContext,
  statusContext,
  testGatewayContext,
} from './lib/context.ts'
import { FrameworkRequested, ScriptNonce } from './lib/page-meta.ts'
import { readerLocale } from './lib/reader-locale.ts'

export { payersPage, readerLocale }

export const streamTimeout = 5_000

/** The entry of the server process to the pages of the router: called for each request, its result is the load context. */
export function provideContext(input: {
  nonce: string
  publicUrl?: string
  isTestGateway?: boolean
  isDevelopment?: boolean
  apiDocument: () => Promise<unknown>
  readStatus: () => Promise<Status>
  onError: (what: string, cause: unknown) => void
}): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(nonceContext, input.nonce)
  context.set(apiDocumentContext, input.apiDocument)
  context.set(statusContext, input.readStatus)
  context.set(logErrorContext, input.onError)
  context.set(publicUrlContext, input.publicUrl ?? null)
  context.set(testGatewayContext, input.isTestGateway ?? false)
  context.set(developmentContext, input.isDevelopment ?? false)
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
        <FrameworkRequested value={request.headers.has('x-hydrate')}>
          <ServerRouter context={routerContext} url={request.url} {...(nonce ? { nonce } : {})} />
        </FrameworkRequested>
      </ScriptNonce>,
      {
        ...(nonce ? { nonce } : {}),
        // Only whole pages are sent: streaming would add inline scripts.
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
