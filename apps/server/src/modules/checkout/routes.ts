import type { CheckoutPort } from '@muripo/contract/checkout'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import type { PageModule } from '../../platform/http/web.ts'
import { admitPerAddressInMemory } from '../../platform/limits/admit.ts'
import type { Limit } from '../../platform/limits/limits.ts'

/** A mobile network may have one address for all its subscribers: a thousand payers send three forms each in ten minutes. */
const FORMS: Limit = { name: 'payer-forms', quota: 3000, windowMs: 600_000 }

const BUSY_SECONDS = 10

/** Shows every payer the page of an address beyond its limit. */
const busyCheckout: CheckoutPort = {
  view: async () => ({ waitSeconds: BUSY_SECONDS }),
  submit: async () => null,
}

/** The payer's page and its form. */
export const checkoutPages = (ctx: Pick<Ctx, 'config' | 'clock'>, checkout: CheckoutPort): PageModule => ({
  context: { checkout, refusedForm: null },

  // The page of one payment and its data request. The checkout shows its limit as a page.
  hasOwnLimit: (pathname) => /^\/pay\/(?!_?\.data$)[^/]+$/.test(pathname),

  mountForms(scope, render) {
    const admitForm = admitPerAddressInMemory(ctx, FORMS)
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        await admitForm(request, reply)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error
        // A browser submitted the form: the payer gets the page of a GET beyond its limit.
        return render(request, reply, { checkout: busyCheckout }, 'GET')
      }
    }
    scope.post<{ Params: { token: string } }>('/pay/:token', { onRequest }, async (request, reply) => {
      const { token } = request.params
      const refusedForm = await checkout.submit(token, formOf(request))
      // Most forms redirect to the page, which is not rendered for them: rendering is a tenth of the cost of a payment.
      if (refusedForm !== null) return render(request, reply, { refusedForm })
      // 303: reloading the page afterwards must not send the prompt again.
      return reply.header('cache-control', 'no-store').redirect(`/pay/${encodeURIComponent(token)}`, 303)
    })
  },
})

/** The form of a page without a script; no page of ours sends forms in another way. */
const formOf = ({ headers, body }: FastifyRequest): URLSearchParams =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? new URLSearchParams((body as Buffer | undefined)?.toString())
    : new URLSearchParams()
