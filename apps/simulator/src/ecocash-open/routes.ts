import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Behaviour } from '../behaviour.ts'
import type { SimulatorConfig } from '../config.ts'
import type { Ledger } from '../ledger.ts'
import { readMinor, readNumber } from '../request-fields.ts'
import { answerCall, countQuery, spoil } from '../spoil.ts'
import type { Upcoming } from '../upcoming.ts'
import type { Wallet } from '../wallet.ts'
import { found, nothing, paid, refuse } from './replies.ts'
import { currencies, Lookup, Payment, Refund } from './requests.ts'

export interface EcocashOpenDeps {
  readonly config: Pick<SimulatorConfig, 'ecocashOpenKey'>
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly upcoming: Upcoming<Behaviour>
}

/** The provider's side of the EcoCash Open API. It has no address for callbacks, which the portal would contain. */
export function ecocashOpenRoutes(deps: EcocashOpenDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/', async () => ({}))
    app.register(async (calls) => {
      calls.addHook('onRequest', async (request, reply) => {
        if (request.headers['x-api-key'] !== deps.config.ecocashOpenKey)
          return refuse(reply, 401, 'Invalid API key')
        const { environment } = request.params as { environment: string }
        if (environment !== 'sandbox') return refuse(reply, 403, 'The application is not live')
      })
      calls.post('/api/v2/payment/instant/c2b/:environment', (request, reply) => pay(deps, request, reply))
      calls.post('/api/v2/refund/instant/c2b/:environment', (request, reply) => refund(deps, request, reply))
      calls.post('/api/v1/transaction/c2b/status/:environment', (request, reply) =>
        lookUp(deps, request, reply),
      )
    })
  }
}

async function pay({ wallet, upcoming }: EcocashOpenDeps, request: FastifyRequest, reply: FastifyReply) {
  const parsed = Payment.safeParse(request.body)
  if (!parsed.success) return refuse(reply, 400, `Invalid ${parsed.error.issues[0]?.path.join('.')}`)
  const { data } = parsed
  const number = readNumber(data.customerMsisdn)
  const currency = currencies[data.currency]
  const minor = currency === undefined ? null : readMinor(data.amount, currency)
  if (number === null) return refuse(reply, 400, 'Invalid customerMsisdn')
  if (currency === undefined) return refuse(reply, 400, 'Invalid currency')
  if (minor === null) return refuse(reply, 400, 'Invalid amount')
  if (wallet.repeat(data.sourceReference)) return refuse(reply, 409, 'Duplicate sourceReference')

  const behaviour = upcoming.take(number)
  const input = {
    ...inputOf(data.sourceReference),
    ...{ number, minor, currency },
    remarks: data.reason,
    shopName: 'EcoCash merchant',
  }
  const { chargeReply: word, replyDelayMs: delayMs } = behaviour
  return answerCall({ request, reply, word, delayMs }, () => {
    const transaction = wallet.open(input, behaviour)
    wallet.start(transaction)
    return () => (behaviour.ecocashOpen?.paymentReply === 'body' ? paid(transaction) : nothing(reply))
  })
}

/** The API has no address of a callback and no number of the merchant. */
const inputOf = (correlator: string) => ({
  correlator,
  referenceCode: correlator,
  notifyUrl: null,
  merchantNumber: '',
})

async function refund({ ledger, wallet }: EcocashOpenDeps, request: FastifyRequest, reply: FastifyReply) {
  const parsed = Refund.safeParse(request.body)
  if (!parsed.success) return refuse(reply, 400, `Invalid ${parsed.error.issues[0]?.path.join('.')}`)
  const { data } = parsed
  const named = data.origionalEcocashTransactionReference
  const original = ledger.getByReference(named) ?? ledger.get(named)
  if (original?.kind !== 'charge' || original.number !== readNumber(data.sourceMobileNumber))
    return refuse(reply, 404, 'Transaction not found')
  if (wallet.repeat(data.refundCorelator)) return refuse(reply, 409, 'Duplicate refundCorelator')
  const currency = currencies[data.currency]
  const minor = currency === undefined ? null : readMinor(data.amount, currency)
  if (currency !== original.currency || minor === null) return refuse(reply, 400, 'Invalid amount')

  const { behaviour } = original
  if (behaviour.refund === 'conflict' || original.status !== 'completed')
    return refuse(reply, 409, 'Transaction not eligible for refund')
  if (minor > original.minor - original.refundedMinor)
    return refuse(reply, 400, 'Refund exceeds the original amount')
  const input = {
    ...inputOf(data.refundCorelator),
    ...{ number: original.number, minor, currency },
    remarks: data.reasonForRefund,
    shopName: data.clientName,
  }
  return answerCall({ request, reply, word: behaviour.refundReply }, () => {
    const transaction = wallet.refund(original, input)
    return () => (transaction.status === 'pending' ? nothing(reply) : paid(transaction))
  })
}

async function lookUp({ ledger }: EcocashOpenDeps, request: FastifyRequest, reply: FastifyReply) {
  const parsed = Lookup.safeParse(request.body)
  if (!parsed.success) return refuse(reply, 400, `Invalid ${parsed.error.issues[0]?.path.join('.')}`)
  const transaction = ledger.get(parsed.data.sourceReference)
  if (transaction?.kind !== 'charge' || transaction.number !== readNumber(parsed.data.sourceMobileNumber))
    return nothing(reply)
  const how = countQuery(transaction)
  if (how === 'all_null') return nothing(reply)
  if (how === 'not_found') return refuse(reply, 404, 'Transaction not found')
  return how === 'normal' ? found(transaction) : spoil(request, reply, how)
}
