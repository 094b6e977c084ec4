import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import type { PayersPage } from '@muripo/contract/checkout'
import { LOCALE_PARAMETER } from '@muripo/locales/languages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import type { Config } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { AppError } from '../errors.ts'
import { admitPerAddressInMemory } from '../limits/admit.ts'
import type { Limit } from '../limits/limits.ts'
import { constantPaths } from './constant-pages.ts'
import { createPageCache, type RenderedPage, withNonce } from './page-cache.ts'
import { acceptRawBodies } from './server.ts'

interface WebBuild extends Omit<ServerBuild, 'entry'> {
  entry: {
    module: ServerBuild['entry']['module'] & {
      provideContext(input: object): RouterContextProvider
      /** Renders a page of a payer. */
      payersPage(
        page: PayersPage,
        surroundings: { readonly request: Request; readonly origin: string; readonly nonce: string },
      ): Response
      /** The language of a page for this request. */
      readerLocale(request: Request): string
    }
  }
}

/** Sends a page of a payer. */
export type SendPayersPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: PayersPage,
  sources?: PageSources,
) => Promise<FastifyReply>

/** Origins of others that one page needs, beside our own. */
export interface PageSources {
  readonly scripts?: string
  readonly frames?: string
  readonly forms?: string
}

/** The operator's console shows documents in the browser's viewer, in a frame with a file of the page itself. */
const CONSOLE = '/console'

/** Mounts the pages of payers and their forms. The scope has checked the origin of a form, and passes its body on unchanged. */
export type MountPayersPages = (scope: FastifyInstance, send: SendPayersPage) => void

const YEAR_SECONDS = 31_536_000
/** The quality above which compression of a page costs more time than it saves. */
const PAGE_BROTLI_QUALITY = 5

/** Each page is rendered and compressed for its request. */
const PAGES: Limit = { name: 'pages', quota: 1200, windowMs: 60_000 }

/** Serves the built web app: its files, and every other address through its router, when no route of ours has it. */
export async function mountWeb(
  app: FastifyInstance,
  ctx: Pick<Ctx, 'config' | 'clock' | 'log'>,
  buildDir: string,
  mountPayersPages: MountPayersPages,
  /** The status of this gateway, for its page. */
  readStatus: () => Promise<unknown>,
): Promise<void> {
  const build = (await import(pathToFileURL(join(buildDir, 'server/index.js')).href)) as unknown as WebBuild
  await serveFiles(app, join(buildDir, 'client'))
  const render = renderWith(build, ctx, { apiDocument: createApiDocument(app), readStatus })

  // These routes have a scope of their own, because a page's form posts are passed on unchanged.
  await app.register(async (scope) => {
    await scope.register(fastifyCompress, {
      globalDecompression: false,
      encodings: ['br', 'gzip'],
      customTypes: /^text\/html/,
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: PAGE_BROTLI_QUALITY } },
    })
    acceptRawBodies(scope)
    // The router refuses these too, but logs a stack trace, and anybody can send them.
    scope.addHook('preHandler', async (request) => {
      if (request.method === 'POST') refuseAnothersForm(ctx.config, request)
    })
    mountPayersPages(scope, render.payers)

    scope.route({
      // Fastify's own HEAD route needs a body with a known length.
      method: ['GET', 'HEAD'],
      exposeHeadRoute: false,
      url: '/*',
      onRequest: admitPerAddressInMemory(ctx, PAGES),
      handler: render.page,
    })
    // No other page has a form. The router would refuse these too, and log a stack trace.
    scope.post('/*', { onRequest: refuseForm }, refuseForm)
  })
}

async function serveFiles(app: FastifyInstance, clientDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: clientDir,
    wildcard: false,
    index: false,
    cacheControl: false,
    // Browsers compare the etag.
    lastModified: false,
    acceptRanges: false,
    // The build wrote a compressed copy beside each file that benefits from it.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}'],
    setHeaders: (reply, path) => {
      if (path.startsWith(join(clientDir, 'assets')))
        reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      else {
        reply.header('cache-control', 'public, max-age=3600')
        // Other sites may show the icons and the preview image.
        reply.header('cross-origin-resource-policy', 'cross-origin')
      }
    },
  })
}

function renderWith(
  build: WebBuild,
  { config, log }: Pick<Ctx, 'config' | 'log'>,
  data: Readonly<Record<'apiDocument' | 'readStatus', () => Promise<unknown>>>,
) {
  const { payersPage, provideContext, readerLocale } = build.entry.module
  const handle = createRequestHandler(build as unknown as ServerBuild, config.mode)
  const constantPathOf = constantPaths(build.routes)
  const cache = createPageCache()
  const newNonce = () => randomBytes(16).toString('base64')

  const logging = (request: FastifyRequest) => (what: string, cause: unknown) =>
    log.error({ err: cause, requestId: request.id, route: request.routeOptions.url }, what)

  function rendered(request: FastifyRequest, incoming: Request, nonce: string) {
    const { publicUrl } = config
    const modes = { isTestGateway: config.keyMode === 'test', isDevelopment: config.mode === 'development' }
    const onError = logging(request)
    return handle(incoming, provideContext({ nonce, publicUrl, ...modes, ...data, onError }))
  }

  /** The page of a path in the reader's language. Nothing else of the request reaches the router. */
  async function constant(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const incoming = toWebRequest(config, request, 'GET')
    const { origin } = new URL(incoming.url)
    const { locale, chosen } = languageOf(incoming)
    const hydrates = incoming.headers.has('x-hydrate')
    const page = await cache.get(JSON.stringify([origin, path, chosen, locale, hydrates]), (nonce) => {
      const own = { 'accept-language': locale, ...(hydrates && { 'x-hydrate': '1' }) }
      return rendered(request, new Request(`${origin}${path}${chosen}`, { headers: own }), nonce)
    })
    return sendCached(request, reply, page, path === CONSOLE ? { frames: 'blob:' } : {})
  }

  /** A language that the reader has just chosen is stored by the page's headers. */
  function languageOf(request: Request): { locale: string; chosen: string } {
    const locale = readerLocale(request)
    const isChosen = new URL(request.url).searchParams.get(LOCALE_PARAMETER) === locale
    return { locale, chosen: isChosen ? `?${LOCALE_PARAMETER}=${locale}` : '' }
  }

  function sendCached(
    request: FastifyRequest,
    reply: FastifyReply,
    page: RenderedPage,
    sources?: PageSources,
  ): FastifyReply {
    const nonce = newNonce()
    reply.status(page.status).headers({ ...pageHeaders(nonce, sources), ...page.headers })
    return reply.send(request.method === 'HEAD' ? null : withNonce(page, nonce))
  }

  /** Rendered once in each language, so that nobody makes work with tokens of no payment. */
  async function trouble(
    request: FastifyRequest,
    reply: FastifyReply,
    page: Extract<PayersPage, { kind: 'trouble' }>,
  ): Promise<FastifyReply> {
    const { locale, chosen } = languageOf(toWebRequest(config, request, 'GET'))
    const origin = config.publicUrl
    const cached = await cache.get(JSON.stringify([page, chosen, locale]), async (nonce) => {
      const anybody = new Request(`${origin}/${chosen}`, { headers: { 'accept-language': locale } })
      return payersPage(page, { request: anybody, origin, nonce })
    })
    return sendCached(request, reply, cached)
  }

  return {
    async page(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const path = constantPathOf(urlOf(config, request).pathname)
      if (path !== null) return constant(request, reply, path)
      const nonce = newNonce()
      const page = await rendered(request, toWebRequest(config, request, request.method), nonce)
      reply.headers(pageHeaders(nonce))
      return reply.send(page)
    },

    payers: (async (request, reply, page, sources) => {
      if (page.kind === 'trouble') return trouble(request, reply, page)
      const nonce = newNonce()
      const incoming = toWebRequest(config, request, 'GET')
      try {
        const rendered = payersPage(page, { request: incoming, origin: config.publicUrl, nonce })
        reply.headers(pageHeaders(nonce, sources))
        return reply.send(request.method === 'HEAD' ? new Response(null, rendered) : rendered)
      } catch (error) {
        logging(request)('a page could not be rendered', error)
        return trouble(request, reply, { kind: 'trouble', status: 500 })
      }
    }) satisfies SendPayersPage,
  }
}

/** The document does not change, so the page that shows it does not use up the limit of its readers. A failure is not cached. */
function createApiDocument(app: FastifyInstance): () => Promise<unknown> {
  let document: Promise<unknown> | undefined
  return () => {
    document ??= readApiDocument(app).catch((error: unknown) => {
      document = undefined
      throw error
    })
    return document
  }
}

async function readApiDocument(app: FastifyInstance): Promise<unknown> {
  const { statusCode, body } = await app.inject('/api/v1/openapi.json')
  if (statusCode !== 200) throw new Error(`The API document was answered ${statusCode}`)
  return JSON.parse(body)
}

async function refuseForm(): Promise<never> {
  throw new AppError('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
}

function refuseAnothersForm(config: Config, request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin === undefined || origin === urlOf(config, request).origin) return
  throw new AppError('malformed_request', { detail: 'The form comes from another site' })
}

function toWebRequest(config: Config, request: FastifyRequest, method: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const item of Array.isArray(value) ? value : [value ?? '']) headers.append(name, item)
  }
  return new Request(urlOf(config, request), {
    method,
    headers,
    body: method === 'POST' ? new Uint8Array((request.body as Buffer | undefined) ?? Buffer.alloc(0)) : null,
  })
}

/**
 * The URL of a request on this gateway, whatever its path: resolved like a link, `//elsewhere.example/pay/…` would be another site's. In
 * production the public address is configured, and no header of a request changes it.
 */
function urlOf(config: Config, request: FastifyRequest): URL {
  if (!request.url.startsWith('/')) throw new AppError('malformed_request')
  const requestedOrigin = `${request.protocol}://${request.host}`
  // HTTP 1.0 needs no Host header.
  const isPublic = config.mode === 'production' || request.host === '' || isOfTunnel(config, request)
  const origin = isPublic ? config.publicUrl : requestedOrigin
  return new URL(origin + request.url)
}

/** A tunnel ends TLS, so that a form of its page has another scheme than its request here. */
const isOfTunnel = ({ tunnelUrl }: Config, { host }: FastifyRequest): boolean =>
  tunnelUrl !== null && new URL(tunnelUrl).host === host

/** A page may override the caching; the checkout does. */
const pageHeaders = (nonce: string, sources: PageSources = {}) => ({
  'cache-control': 'no-cache',
  // A page is in its reader's language, and is sent again with its framework to a reader who needs it.
  vary: 'accept-language, cookie, x-hydrate',
  'content-security-policy': contentSecurityPolicy(nonce, sources),
  // With no-referrer, a browser sends the origin `null` with a form of the same page, and the router refuses it.
  'referrer-policy': 'same-origin',
})

/** Inline styles are allowed (charts and lists set sizes that way); scripts only with the page's nonce. */
const contentSecurityPolicy = (nonce: string, { scripts, frames, forms }: PageSources): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${scripts ? ` ${scripts}` : ''}`,
    ...(frames ? [`frame-src ${frames}`] : []),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `form-action 'self'${forms ? ` ${forms}` : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
