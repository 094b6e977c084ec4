import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { SimulatorConfig } from '../config.ts'
import { sendPage } from '../page/frame.ts'
import { Problem } from '../problem.ts'
import { readMinor } from '../request-fields.ts'
import type { Upcoming } from '../upcoming.ts'
import type { PesepayBehaviour } from './behaviour.ts'
import { decrypt, encrypt } from './envelope.ts'
import { choices, paymentPage } from './page.ts'
import { isOpen, type Payments, type PesepayPayment } from './payments.ts'
import { resultReply, startedReply } from './replies.ts'
import { catalogue, currencies, Envelope, Initiation, walletIn } from './requests.ts'

interface PesepayDeps {
  readonly account: SimulatorConfig['pesepay']
  readonly payments: Payments
  readonly upcoming: Upcoming<PesepayBehaviour>
}

const Choice = z.object({ status: z.enum(choices.map(([status]) => status)) })

/** Pesepay's side of its protocol: encrypted bodies, and errors by their HTTP status. */
export function pesepayRoutes(deps: PesepayDeps) {
  const { account, payments } = deps
  return async (app: FastifyInstance): Promise<void> => {
    app.post('/v1/payments/initiate', async (request, reply) =>
      initiate(deps, request, reply, () => ({ wallet: null })),
    )
    app.post('/v2/payments/make-payment', async (request, reply) => initiate(deps, request, reply, walletIn))

    app.get<{ Querystring: { referenceNumber?: string } }>(
      '/v1/payments/check-payment',
      async (request, reply) => {
        if (!isKnown(deps, request)) return refuse(reply, 404, 'Integration key not found')
        const payment = payments.get(request.query.referenceNumber ?? '')
        if (payment === null) return refuse(reply, 400, 'Transaction not found')
        return encrypt(resultReply(payment), account.encryptionKey)
      },
    )

    // The catalogue is not encrypted.
    app.get('/v1/currencies/active', async () => [
      { name: 'United States Dollar', code: 'USD' },
      { name: 'Zimbabwe Gold', code: 'ZiG' },
    ])

    app.get<{ Querystring: { currencyCode?: string } }>(
      '/v1/payment-methods/for-currency',
      async ({ query: { currencyCode } }) => {
        const codes = currencyCode === 'USD' || currencyCode === 'ZiG' ? catalogue[currencyCode] : {}
        return Object.entries(codes).map(([name, code]) => ({
          name,
          code,
          minimumAmount: 0.01,
          maximumAmount: 10_000,
          redirectRequired: false,
          requiredFields: [{ name: 'customerPhoneNumber', fieldType: 'PHONE' }],
        }))
      },
    )

    app.get('/pay/:reference', async (request, reply) =>
      sendPage(reply, paymentPage(existing(deps, request))),
    )
    app.post('/pay/:reference', async (request, reply) => {
      const payment = existing(deps, request)
      const { status } = Choice.parse(request.body)
      if (isOpen(payment)) payments.change(payment, status)
      return reply.redirect(payment.returnUrl, 303)
    })
  }
}

const refuse = (reply: FastifyReply, status: number, message: string) =>
  reply.code(status).send({ status, message })

const isKnown = ({ account }: PesepayDeps, { headers: { key, authorization } }: FastifyRequest): boolean =>
  (key ?? authorization) === account.integrationKey

/** @param readWallet null when the request names no wallet of the catalogue */
function initiate(
  deps: PesepayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  readWallet: (body: unknown) => { readonly wallet: PesepayPayment['wallet'] } | null,
) {
  const { account, payments, upcoming } = deps
  if (!isKnown(deps, request)) return refuse(reply, 404, 'Integration key not found')
  const envelope = Envelope.safeParse(request.body)
  const body = envelope.success ? decrypt(envelope.data.payload, account.encryptionKey) : null
  if (body === null) return refuse(reply, 500, 'Failed to decrypt your data')
  const parsed = Initiation.safeParse(body)
  const currency = parsed.success ? currencies[parsed.data.amountDetails.currencyCode] : undefined
  const paid = readWallet(body)
  if (!parsed.success || currency === undefined || paid === null) return refuse(reply, 400, 'Invalid request')
  const minor = readMinor(parsed.data.amountDetails.amount, currency)
  if (minor === null) return refuse(reply, 400, 'Invalid amount')
  const payment = payments.open(
    {
      merchantReference: parsed.data.merchantReference ?? null,
      minor,
      currency,
      reason: parsed.data.reasonForPayment,
      resultUrl: parsed.data.resultUrl,
      returnUrl: parsed.data.returnUrl,
      base: `http://${request.host}/pesepay`,
      ...paid,
    },
    upcoming.take(),
  )
  return reply.send(encrypt(startedReply(payment), account.encryptionKey))
}

function existing({ payments }: PesepayDeps, request: FastifyRequest) {
  const { reference } = request.params as { reference: string }
  const payment = payments.get(reference)
  if (payment === null) throw new Problem(404, 'There is no such payment')
  return payment
}
