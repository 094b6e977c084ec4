import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import type { Config } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { AppError } from '../errors.ts'
import { admitPerAddressInMemory } from '../limits/admit.ts'
import type { Limit } from '../limits/limits.ts'
import { acceptRawBodies } from './server.ts'

interface WebBuild extends Omit<ServerBuild, 'entry'> {
  entry: {
    module: ServerBuild['entry']['module'] & {
      provideContext(input: object): RouterContextProvider
    }
  }
}

/** Renders the page of a request, with additional values for this page. */
type RenderPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  context?: object,
  options?: { readonly method?: 'GET'; readonly sources?: PageSources },
) => Promise<FastifyReply>

/** Origins of others that one page needs, beside our own. */
export interface PageSources {
  readonly scripts?: string
  readonly frames?: string
  readonly forms?: string
}

/** The pages of a module that have data or forms. */
export interface PageModule {
  /** Values for every page of the web app, beside those of the request. */
  readonly context: object
  /** Whether the module limits the views of this page itself. The path is the router's path. */
  hasOwnLimit(pathname: string): boolean
  /** The scope has checked the origin of a form, and passes its body on unchanged. */
  mountForms(scope: FastifyInstance, render: RenderPage): void
}

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
  pages: PageModule,
): Promise<void> {
  const build = (await import(pathToFileURL(join(buildDir, 'server/index.js')).href)) as unknown as WebBuild
  await serveFiles(app, join(buildDir, 'client'))
  const render = renderWith(build, ctx, pages, createApiDocument(app))

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
    pages.mountForms(scope, render)

    const admitPage = admitPerAddressInMemory(ctx, PAGES)
    scope.route({
      // Fastify's own HEAD route needs a body with a known length.
      method: ['GET', 'HEAD'],
      exposeHeadRoute: false,
      url: '/*',
      onRequest: async (request, reply) => {
        if (!pages.hasOwnLimit(urlOf(ctx.config, request).pathname)) await admitPage(request, reply)
      },
      handler: (request, reply) => render(request, reply),
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
  pages: PageModule,
  apiDocument: () => Promise<unknown>,
): RenderPage {
  const handle = createRequestHandler(build as unknown as ServerBuild, config.mode)
  return async (request, reply, context, { method, sources } = {}) => {
    const nonce = randomBytes(16).toString('base64')
    const onError = (what: string, cause: unknown) =>
      log.error({ err: cause, requestId: request.id, route: request.routeOptions.url }, what)
    const page = await handle(
      toWebRequest(config, request, method ?? request.method),
      build.entry.module.provideContext({
        ...pages.context,
        address: request.ip,
        nonce,
        publicUrl: config.publicUrl,
        apiDocument,
        onError,
        ...context,
      }),
    )
    reply.headers(pageHeaders(nonce, sources))
    return reply.send(page)
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
  const origin = config.mode === 'production' ? new URL(config.publicUrl).origin : requestedOrigin
  return new URL(origin + request.url)
}

/** A page may override the caching; the checkout does. */
const pageHeaders = (nonce: string, sources: PageSources = {}) => ({
  'cache-control': 'no-cache',
  // A page is in its reader's language, and is sent again with its framework to a reader who needs it.
  vary: 'accept-language, cookie, x-hydrate',
  'content-security-policy': contentSecurityPolicy(nonce, sources),
  // With no-referrer, a browser sends the origin `null` with a form of the same page, and the router refuses it.
  'referrer-policy': 'same-origin',
})

/** Inline styles are allowed (Mantine sets sizes that way); scripts only with the page's nonce. */
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
