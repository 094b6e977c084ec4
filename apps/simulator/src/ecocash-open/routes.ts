import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Behaviours } from '../behaviour.ts'
import type { SimulatorConfig } from '../config.ts'
import type { Ledger } from '../ledger.ts'
import { readMinor, readNumber } from '../request-fields.ts'
import { countQuery, readSpoiling, spoil } from '../spoil.ts'
import type { Wallet } from '../wallet.ts'
import { found, nothing, paid, refuse } from './replies.ts'
import { currencies, Lookup, Payment, Refund } from './requests.ts'

export interface EcocashOpenDeps {
  readonly config: Pick<SimulatorConfig, 'ecocashOpenKey'>
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly behaviours: Behaviours
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

async function pay(
  { ledger, wallet, behaviours }: EcocashOpenDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const parsed = Payment.safeParse(request.body)
  if (!parsed.success) return refuse(reply, 400, `Invalid ${parsed.error.issues[0]?.path.join('.')}`)
  const { data } = parsed
  const number = readNumber(data.customerMsisdn)
  const currency = currencies[data.currency]
  const minor = currency === undefined ? null : readMinor(data.amount, currency)
  if (number === null) return refuse(reply, 400, 'Invalid customerMsisdn')
  if (currency === undefined) return refuse(reply, 400, 'Invalid currency')
  if (minor === null) return refuse(reply, 400, 'Invalid amount')
  if (ledger.get(data.sourceReference)) return refuse(reply, 409, 'Duplicate sourceReference')

  const behaviour = behaviours.take(number)
  const spoiling = readSpoiling(behaviour.chargeReply)
  if (spoiling?.processed === false) {
    await sleep(behaviour.replyDelayMs ?? 0)
    return spoil(request, reply, spoiling.how)
  }
  const transaction = wallet.open(
    {
      correlator: data.sourceReference,
      number,
      minor,
      currency,
      notifyUrl: null,
      referenceCode: data.sourceReference,
      remarks: data.reason,
      shopName: 'EcoCash merchant',
      merchantNumber: '',
    },
    behaviour,
  )
  void wallet.start(transaction)
  await sleep(behaviour.replyDelayMs ?? 0)
  if (spoiling !== null) return spoil(request, reply, spoiling.how)
  return behaviour.ecocashOpen?.paymentReply === 'body' ? paid(transaction) : nothing(reply)
}

async function refund({ ledger, wallet }: EcocashOpenDeps, request: FastifyRequest, reply: FastifyReply) {
  const parsed = Refund.safeParse(request.body)
  if (!parsed.success) return refuse(reply, 400, `Invalid ${parsed.error.issues[0]?.path.join('.')}`)
  const { data } = parsed
  const named = data.origionalEcocashTransactionReference
  const original = ledger.getByReference(named) ?? ledger.get(named)
  if (original?.kind !== 'charge' || original.number !== readNumber(data.sourceMobileNumber))
    return refuse(reply, 404, 'Transaction not found')
  if (ledger.get(data.refundCorelator)) return refuse(reply, 409, 'Duplicate refundCorelator')
  const currency = currencies[data.currency]
  const minor = currency === undefined ? null : readMinor(data.amount, currency)
  if (currency !== original.currency || minor === null) return refuse(reply, 400, 'Invalid amount')

  const { behaviour } = original
  const spoiling = readSpoiling(behaviour.refundReply)
  if (spoiling?.processed === false) return spoil(request, reply, spoiling.how)
  if (behaviour.refund === 'conflict' || original.status !== 'completed')
    return refuse(reply, 409, 'Transaction not eligible for refund')
  if (minor > original.minor - original.refundedMinor)
    return refuse(reply, 400, 'Refund exceeds the original amount')
  const transaction = wallet.refund(original, {
    correlator: data.refundCorelator,
    number: original.number,
    minor,
    currency,
    notifyUrl: null,
    referenceCode: data.refundCorelator,
    remarks: data.reasonForRefund,
    shopName: data.clientName,
    merchantNumber: '',
  })
  if (spoiling !== null) return spoil(request, reply, spoiling.how)
  return transaction.status === 'pending' ? nothing(reply) : paid(transaction)
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
