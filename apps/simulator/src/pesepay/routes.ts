import { fromMajor, MoneyError } from '@muripo/contract/money'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { SimulatorConfig } from '../config.ts'
import { sendPage } from '../page/frame.ts'
import { Problem } from '../problem.ts'
import type { Upcoming } from '../upcoming.ts'
import { PesepayBehaviour, statuses } from './behaviour.ts'
import { decrypt, encrypt } from './envelope.ts'
import { choices, paymentPage } from './page.ts'
import { isOpen, type Payments, type PesepayPayment } from './payments.ts'
import { resultReply, startedReply } from './replies.ts'

interface PesepayDeps {
  readonly account: SimulatorConfig['pesepay']
  readonly payments: Payments
  readonly behaviours: Upcoming<PesepayBehaviour>
}

const currencies: Readonly<Record<string, 'USD' | 'ZWG'>> = { USD: 'USD', ZiG: 'ZWG' }
/** A blank address is accepted, and the word stands in its place. */
const Address = z.string().transform((text) => text.trim() || 'NONE')
const Initiation = z.object({
  amountDetails: z.object({ amount: z.number().positive(), currencyCode: z.enum(['USD', 'ZiG']) }),
  reasonForPayment: z.string().min(1),
  resultUrl: Address,
  returnUrl: Address,
  merchantReference: z.string().optional(),
})
const Phone = z.object({ customerPhoneNumber: z.string().regex(/^07\d{8}$/) })
const WalletPayment = Initiation.extend({
  paymentMethodCode: z.string(),
  customer: z.object({
    name: z.string().min(1),
    phoneNumber: z.string().optional(),
    email: z.string().optional(),
  }),
  paymentMethodRequiredFields: Phone,
  paymentRequestFields: Phone.optional(),
})

/** The codes of the wallets. The provider publishes those in US dollars only. */
const catalogue = {
  USD: { ecocash: 'PZW211', innbucks: 'PZW212' },
  ZiG: { ecocash: 'SIM211', innbucks: 'SIM212' },
} as const

const Choice = z.object({ status: z.enum(choices.map(([status]) => status)) })
const Envelope = z.object({ payload: z.string() })

/** Pesepay's side of its protocol: encrypted bodies, and errors by their HTTP status. */
export function pesepayRoutes({ account, payments, behaviours }: PesepayDeps) {
  const refuse = (reply: FastifyReply, status: number, message: string) =>
    reply.code(status).send({ status, message })

  const isKnown = ({ headers: { key, authorization } }: FastifyRequest): boolean =>
    (key ?? authorization) === account.integrationKey

  /** @param readWallet null when the request names no wallet of the catalogue */
  function initiate(
    request: FastifyRequest,
    reply: FastifyReply,
    readWallet: (body: unknown) => { readonly wallet: PesepayPayment['wallet'] } | null,
  ) {
    if (!isKnown(request)) return refuse(reply, 404, 'Integration key not found')
    const envelope = Envelope.safeParse(request.body)
    const body = envelope.success ? decrypt(envelope.data.payload, account.encryptionKey) : null
    if (body === null) return refuse(reply, 500, 'Failed to decrypt your data')
    const parsed = Initiation.safeParse(body)
    const currency = parsed.success ? currencies[parsed.data.amountDetails.currencyCode] : undefined
    const paid = readWallet(body)
    if (!parsed.success || currency === undefined || paid === null)
      return refuse(reply, 400, 'Invalid request')
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
      behaviours.take() ?? {},
    )
    return reply.send(encrypt(startedReply(payment), account.encryptionKey))
  }

  function existing(request: FastifyRequest) {
    const { reference } = request.params as { reference: string }
    const payment = payments.get(reference)
    if (payment === null) throw new Problem(404, 'There is no such payment')
    return payment
  }

  function walletIn(body: unknown) {
    const parsed = WalletPayment.safeParse(body)
    if (!parsed.success) return null
    const { customer, paymentMethodCode, amountDetails, paymentMethodRequiredFields } = parsed.data
    const codes = catalogue[amountDetails.currencyCode]
    const method = (['ecocash', 'innbucks'] as const).find((name) => codes[name] === paymentMethodCode)
    // The customer has at least one of both.
    if (method === undefined || !(customer.phoneNumber || customer.email)) return null
    return { wallet: { method, phone: paymentMethodRequiredFields.customerPhoneNumber } }
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.post('/v1/payments/initiate', async (request, reply) =>
      initiate(request, reply, () => ({ wallet: null })),
    )
    app.post('/v2/payments/make-payment', async (request, reply) => initiate(request, reply, walletIn))

    app.get<{ Querystring: { referenceNumber?: string } }>(
      '/v1/payments/check-payment',
      async (request, reply) => {
        if (!isKnown(request)) return refuse(reply, 404, 'Integration key not found')
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

    app.get('/pay/:reference', async (request, reply) => sendPage(reply, paymentPage(existing(request))))
    app.post('/pay/:reference', async (request, reply) => {
      const payment = existing(request)
      const { status } = Choice.parse(request.body)
      if (isOpen(payment)) payments.change(payment, status)
      return reply.redirect(payment.returnUrl, 303)
    })
  }
}

const Next = z.strictObject({
  times: z.int().min(1).max(1_000_000).default(1),
  behaviour: PesepayBehaviour,
})
const Change = z.strictObject({ status: z.enum(statuses), behaviour: PesepayBehaviour.default({}) })

/** Controls that no real provider has: tests order misbehaviour and change a payment, such as a reversal. */
export function pesepayControlRoutes({ payments, behaviours }: Omit<PesepayDeps, 'account'>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.post('/next', async (request, reply) => {
      const { behaviour, times } = Next.parse(request.body)
      behaviours.order(behaviour, times)
      return reply.code(204).send()
    })
    app.post<{ Params: { reference: string } }>('/payments/:reference', async (request, reply) => {
      const payment = payments.get(request.params.reference)
      if (payment === null) throw new Problem(404, 'There is no payment with this reference')
      const { status, behaviour } = Change.parse(request.body)
      payment.behaviour = { ...payment.behaviour, ...behaviour }
      payments.change(payment, status)
      return reply.code(204).send()
    })
    app.get('/payments', async () => ({ payments: payments.all().map(resultReply) }))
  }
}

function readMinor(amount: number, currency: 'USD' | 'ZWG'): number | null {
  try {
    return Number(fromMajor(amount, currency).minor)
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}
