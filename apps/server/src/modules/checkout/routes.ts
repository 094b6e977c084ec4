import {
  type CardStep,
  type CheckoutPort,
  INTENT_PARAMETER,
  METHOD_COOKIE,
  RESUME_PROBLEM,
} from '@muripo/contract/checkout'
import type { PaymentMethod } from '@muripo/contract/payments'
import { stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import { acceptRawBodies } from '../../platform/http/server.ts'
import type { PageModule, PageSources } from '../../platform/http/web.ts'
import { admitPerAddressInMemory } from '../../platform/limits/admit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
import type { PayerBrowser } from '../providers/index.ts'
import type { Checkout } from './checkout.ts'
import { methodIn } from './choice.ts'
import { cardPageOf } from './linked-payments.ts'

/** A mobile network may have one address for all its subscribers: a thousand payers send three forms each in ten minutes. */
const FORMS: Limit = { name: 'payer-forms', quota: 3000, windowMs: 600_000 }

const BUSY_SECONDS = 10

/** Shows every payer the page of an address beyond its limit. */
const busyCheckout: CheckoutPort = {
  view: async () => ({ waitSeconds: BUSY_SECONDS }),
  submit: async () => null,
  resume: async () => 'too-many',
}

/** The actions of the pages. */
export type PageActions = CheckoutPort & Pick<Checkout, 'cardPage' | 'proceed'>

/** The payer's page and its form. */
export const checkoutPages = (ctx: Pick<Ctx, 'config' | 'clock'>, checkout: PageActions): PageModule => ({
  context: { checkout, refusedForm: null, cardPage: null },

  // The page of one payment, its receipt and its data request. The checkout shows its limit as a page.
  hasOwnLimit: (pathname) => /^\/pay\/(?!_?\.data$)[^/]+(\/receipt)?$/.test(pathname),

  mountForms(scope, render) {
    const admitForm = admitPerAddressInMemory(ctx, FORMS)
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        await admitForm(request, reply)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error
        // A browser submitted the form: the payer gets the page of a GET beyond its limit.
        return render(request, reply, { checkout: busyCheckout }, { method: 'GET' })
      }
    }
    scope.post<{ Params: { token: string } }>('/pay/:token', { onRequest }, async (request, reply) => {
      const { token } = request.params
      const form = formOf(request)
      const refusedForm = await checkout.submit(token, form, request.ip)
      // Most forms redirect to the page, which is not rendered for them, because rendering takes time.
      if (refusedForm !== null) return render(request, reply, { refusedForm })
      const method = methodIn(form.get('method') ?? undefined)
      if (method !== null) reply.header('set-cookie', methodCookie(ctx.config, method))
      // 303: reloading the page afterwards must not send the prompt again.
      const intent = form.get('intent')
      const query = intent === null ? '' : `?${INTENT_PARAMETER}=${encodeURIComponent(intent)}`
      return reply.header('cache-control', 'no-store').redirect(pageOf(token) + query, 303)
    })
    scope.post('/resume', { onRequest }, async (request, reply) => {
      const found = await checkout.resume(formOf(request).get('code') ?? '', request.ip)
      const target = typeof found === 'string' ? `/resume?${RESUME_PROBLEM}=${found}` : pageOf(found.token)
      return reply.header('cache-control', 'no-store').redirect(target, 303)
    })

    // The page for a card: its policy opens what the provider needs for this step, and nothing on any other page.
    const address = '/pay/:token/card'
    const admitCard = admitPerAddressInMemory(ctx, CARD_PAGES)
    scope.get<{ Params: { token: string } }>(address, { onRequest: admitCard }, async (request, reply) => {
      const { token } = request.params
      const cardPage = await checkout.cardPage(token)
      reply.header('cache-control', 'no-store')
      if (cardPage === null) return reply.redirect(pageOf(token), 303)
      return render(request, reply, { cardPage }, { sources: sourcesOf(cardPage.step) })
    })
    scope.post<{ Params: { token: string } }>(address, { onRequest: admitCard }, async (request, reply) => {
      const { token } = request.params
      await checkout.proceed(token, browserOf(request))
      return reply.header('cache-control', 'no-store').redirect(cardPageOf(token), 303)
    })
  },
})

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

/** The method of the payer's last payment in this browser, which the next page suggests. */
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
  checkout: Checkout,
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
        await checkout.checkOnReturn(token)
        return reply.header('cache-control', 'no-store').redirect(pageOf(token), 303)
      },
    })

    scope.get<{ Params: { token: string } }>(
      '/pay/:token/status',
      { onRequest: admitPerAddressInMemory(ctx, STATES) },
      async ({ params: { token } }, reply) => {
        const status = await checkout.status(token)
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
