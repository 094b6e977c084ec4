import {
  type CardStep,
  type CheckoutView,
  INTENT_PARAMETER,
  METHOD_COOKIE,
  type PayersPage,
  RESUME_PROBLEM,
} from '@muripo/contract/checkout'
import type { PaymentMethod } from '@muripo/contract/payments'
import { stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import { acceptRawBodies } from '../../platform/http/server.ts'
import type { MountPayersPages, PageSources } from '../../platform/http/web.ts'
import { admitPerAddressInMemory } from '../../platform/limits/admit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
import type { PayerBrowser } from '../providers/index.ts'
import type { Checkout } from './checkout.ts'
import { methodIn } from './choice.ts'
import { cardPageOf } from './linked-payments.ts'
import { simulatedPage, simulatedPageHeaders } from './simulated-page.ts'

/** A mobile network may have one address for all its subscribers: a thousand payers send three forms each in ten minutes. */
const FORMS: Limit = { name: 'payer-forms', quota: 3000, windowMs: 600_000 }

const BUSY_SECONDS = 10

/** The actions of the pages. */
export type PageActions = Pick<
  Checkout,
  'view' | 'submit' | 'resume' | 'cardPage' | 'choose' | 'proceed' | 'refuseView' | 'recognises' | 'simulated'
>

interface OfToken {
  Params: { token: string }
}

const unknownPayment: PayersPage = { kind: 'trouble', status: 404 }

/** The payer's pages and their forms. */
export const checkoutPages = (
  ctx: Pick<Ctx, 'config' | 'clock' | 'log'>,
  checkoutFor: (token: string) => PageActions,
): MountPayersPages =>
  function mount(scope, send) {
    const busy = (request: FastifyRequest, reply: FastifyReply, seconds = BUSY_SECONDS) =>
      send(request, reply.headers({ 'retry-after': String(seconds), refresh: String(seconds) }), {
        kind: 'trouble',
        status: 429,
      })

    /** Sends a page with the view of a payment, or the page of a payment that cannot be shown. */
    async function show(
      request: FastifyRequest<OfToken>,
      reply: FastifyReply,
      pageWith: (view: CheckoutView) => PayersPage,
    ) {
      const lastMethod = lastMethodIn(request.headers.cookie)
      let view: Awaited<ReturnType<Checkout['view']>>
      try {
        view = await checkoutFor(request.params.token).view(request.params.token, request.ip, lastMethod)
      } catch (error) {
        ctx.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'a page failed')
        return send(request, reply, { kind: 'trouble', status: 500 })
      }
      if (view === null) return send(request, reply, unknownPayment)
      if ('waitSeconds' in view) return busy(request, reply, view.waitSeconds)
      return send(request, reply, pageWith(view))
    }

    /** A page of one payment, which shows its limit as a page, before any work for it. */
    const mountPage = (url: string, pageOf: (token: string, view: CheckoutView) => PayersPage) =>
      scope.route<OfToken>({
        method: ['GET', 'HEAD'],
        exposeHeadRoute: false,
        url,
        async handler(request, reply) {
          const { token } = request.params
          const refused = checkoutFor(token).refuseView(token, request.ip)
          if (refused === 'unknown') return send(request, reply, unknownPayment)
          if (refused !== null) return busy(request, reply, refused.waitSeconds)
          return show(request, reply, (view) => pageOf(token, view))
        },
      })
    mountPage('/pay/:token', (token, view) => ({ kind: 'payment', token, view, refused: null }))
    mountPage('/pay/:token/receipt', (token, view) => ({ kind: 'receipt', token, view }))

    scope.route<{ Querystring: Readonly<Record<string, string | undefined>> }>({
      method: ['GET', 'HEAD'],
      exposeHeadRoute: false,
      url: '/resume',
      onRequest: admitPerAddressInMemory(ctx, RESUME_PAGES),
      handler: (request, reply) => {
        const problem = resumeProblems.find((each) => each === request.query[RESUME_PROBLEM]) ?? null
        return send(request, reply, { kind: 'resume', problem })
      },
    })

    const admitForm = admitPerAddressInMemory(ctx, FORMS)
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        await admitForm(request, reply)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error
        // A browser submitted the form: the payer gets the page of a GET beyond its limit.
        return busy(request, reply)
      }
    }
    scope.post<OfToken>('/pay/:token', { onRequest }, async (request, reply) => {
      const { token } = request.params
      if (!checkoutFor(token).recognises(token)) return send(request, reply, unknownPayment)
      const form = formOf(request)
      const refused = await checkoutFor(token).submit(token, form, request.ip)
      // Most forms redirect to the page, which is not rendered for them, because rendering takes time.
      if (refused !== null) return show(request, reply, (view) => ({ kind: 'payment', token, view, refused }))
      const method = methodIn(form.get('method') ?? undefined)
      if (method !== null) reply.header('set-cookie', methodCookie(ctx.config, method))
      // 303: reloading the page afterwards must not send the prompt again.
      const intent = form.get('intent')
      const query = intent === null ? '' : `?${INTENT_PARAMETER}=${encodeURIComponent(intent)}`
      return reply.header('cache-control', 'no-store').redirect(pageOf(token) + query, 303)
    })
    scope.post('/resume', { onRequest }, async (request, reply) => {
      const found = await checkoutFor('').resume(formOf(request).get('code') ?? '', request.ip)
      const target = typeof found === 'string' ? `/resume?${RESUME_PROBLEM}=${found}` : pageOf(found.token)
      return reply.header('cache-control', 'no-store').redirect(target, 303)
    })

    // The page for a card: its policy opens what the provider needs for this step, and nothing on any other page.
    const address = '/pay/:token/card'
    const admitCard = admitPerAddressInMemory(ctx, CARD_PAGES)
    scope.get<OfToken>(address, { onRequest: admitCard }, async (request, reply) => {
      const { token } = request.params
      const cardPage = await checkoutFor(token).cardPage(token)
      if (cardPage === null) return reply.header('cache-control', 'no-store').redirect(pageOf(token), 303)
      return send(request, reply, { kind: 'card', token, ...cardPage }, sourcesOf(cardPage.step))
    })
    scope.post<OfToken>(address, { onRequest: admitCard }, async (request, reply) => {
      const { token } = request.params
      await checkoutFor(token).proceed(token, browserOf(request))
      return reply.header('cache-control', 'no-store').redirect(cardPageOf(token), 303)
    })

    // The page of a simulated card or code, where the payer of a test payment chooses its result.
    const simulator = '/pay/:token/simulator'
    scope.get<OfToken>(simulator, { onRequest: admitCard }, async (request, reply) => {
      const { token } = request.params
      const view = await checkoutFor(token).simulated(token)
      if (view === null) return reply.header('cache-control', 'no-store').redirect(pageOf(token), 303)
      return reply.headers(simulatedPageHeaders).send(simulatedPage(view))
    })
    scope.post<OfToken>(simulator, { onRequest: admitCard }, async (request, reply) => {
      const { token } = request.params
      await checkoutFor(token).choose(token, formOf(request).get('choice') ?? '', browserOf(request))
      return reply.header('cache-control', 'no-store').redirect(pageOf(token), 303)
    })
  }

const resumeProblems = ['unknown', 'too-many'] as const

/** A thousand payers of one mobile network open the page for a code. */
const RESUME_PAGES: Limit = { name: 'payer-code-pages', quota: 1200, windowMs: 60_000 }

/** A thousand payers of one mobile network open the page and send it, three times in ten minutes. */
const CARD_PAGES: Limit = { name: 'payer-cards', quota: 6000, windowMs: 600_000 }

const originOf = (url: string): string => new URL(url).origin

/** The origins that the step needs: the provider's for its script and its frames, or the bank's for the form. */
function sourcesOf(step: CardStep): PageSources {
  if (step.type === 'post_form') return { forms: originOf(step.url) }
  return { scripts: originOf(step.script), frames: originOf(step.script) }
}

/** A number that the page's script sends. A missing or unreadable one is replaced, because the banks expect a number. */
const numberIn = (form: URLSearchParams, name: string, otherwise: number): number => {
  const text = form.get(name) ?? ''
  return /^-?\d{1,5}$/.test(text) ? Number(text) : otherwise
}

function browserOf(request: FastifyRequest): PayerBrowser {
  const form = formOf(request)
  const { headers, ip } = request
  return {
    address: ip,
    userAgent: (headers['user-agent'] ?? 'unknown').slice(0, 255),
    accept: (headers.accept ?? '*/*').slice(0, 255),
    language: /^[A-Za-z]{2,3}(-[A-Za-z]{2,4})?/.exec(headers['accept-language'] ?? '')?.[0] ?? 'en',
    screenWidth: numberIn(form, 'width', 360),
    screenHeight: numberIn(form, 'height', 640),
    colorDepth: numberIn(form, 'depth', 24),
    timeZone: numberIn(form, 'zone', 0),
  }
}

const pageOf = (token: string): string => `/pay/${encodeURIComponent(token)}`

const COOKIE_LIFE_SECONDS = 365 * 24 * 60 * 60

const cookiePattern = new RegExp(`(?:^|; ?)${METHOD_COOKIE}=([a-z]{1,20})(?:;|$)`)

/** The method of the payer's last payment in this browser; undefined when there was none. */
export const lastMethodIn = (cookies: string | undefined): string | undefined =>
  cookiePattern.exec(cookies ?? '')?.[1]

/** The cookie of that method, which the next page suggests. */
const methodCookie = (config: Config, method: PaymentMethod): string =>
  stringifySetCookie({
    name: METHOD_COOKIE,
    value: method,
    path: '/pay',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.mode === 'production',
    maxAge: COOKIE_LIFE_SECONDS,
  })

/** A thousand payers of one mobile network return three times each in ten minutes. */
const RETURNS: Limit = { name: 'payer-returns', quota: 3000, windowMs: 600_000 }

/** A thousand waiting pages ask every two seconds at first. */
const STATES: Limit = { name: 'payer-states', quota: 6000, windowMs: 10_000 }

/** The addresses below the payer's page: the return from a provider's page, and the state for a program. */
export function mountCheckoutCalls(
  app: FastifyInstance,
  ctx: Pick<Ctx, 'config' | 'clock'>,
  checkoutFor: (token: string) => Checkout,
): void {
  void app.register(async (scope) => {
    // A provider may send the payer back with a form of its own.
    acceptRawBodies(scope)

    const admitReturn = admitPerAddressInMemory(ctx, RETURNS)
    scope.route<{ Params: { token: string } }>({
      method: ['GET', 'POST'],
      exposeHeadRoute: false,
      url: '/pay/:token/return',
      onRequest: admitReturn,
      async handler({ params: { token } }, reply) {
        await checkoutFor(token).checkOnReturn(token)
        return reply.header('cache-control', 'no-store').redirect(pageOf(token), 303)
      },
    })

    scope.get<{ Params: { token: string } }>(
      '/pay/:token/status',
      { onRequest: admitPerAddressInMemory(ctx, STATES) },
      async ({ params: { token } }, reply) => {
        const status = await checkoutFor(token).status(token)
        if (status === null) throw new AppError('not_found')
        return reply.header('cache-control', 'no-store').send(status)
      },
    )
  })
}

/** The form of a page without a script; no page of ours sends forms in another way. */
const formOf = ({ headers, body }: FastifyRequest): URLSearchParams =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? new URLSearchParams((body as Buffer | undefined)?.toString())
    : new URLSearchParams()
