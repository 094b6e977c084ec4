import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Behaviour } from '../behaviour.ts'
import type { SimulatorConfig } from '../config.ts'
import type { Ledger, Transaction } from '../ledger.ts'
import { readNumber } from '../request-fields.ts'
import { answerCall, countQuery, spoil } from '../spoil.ts'
import type { AllSubscribers } from '../subscribers.ts'
import type { Upcoming } from '../upcoming.ts'
import { verdicts } from '../verdicts.ts'
import type { Wallet } from '../wallet.ts'
import { refuse } from './refusals.ts'
import { nothingAtAll, render } from './replies.ts'
import { readAmountTransaction } from './requests.ts'

export interface EcocashDeps {
  readonly config: SimulatorConfig
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly upcoming: Upcoming<Behaviour>
  readonly subscribers: AllSubscribers
}

/** The provider's side of EcoCash Instant Payment. */
export function ecocashRoutes(deps: EcocashDeps) {
  const { config } = deps
  const accepted = config.passwords.map((password) =>
    Buffer.from(`Basic ${Buffer.from(`${config.username}:${password}`).toString('base64')}`),
  )

  function isAllowed(request: FastifyRequest): boolean {
    const given = Buffer.from(request.headers.authorization ?? '')
    return accepted.some((each) => given.length === each.length && timingSafeEqual(given, each))
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async (request, reply) => {
      if (!isAllowed(request)) return refuse(reply, config.vocabulary, 'E006')
    })
    app.post('/transactions/amount', (request, reply) => charge(deps, request, reply))
    app.post('/transactions/refund', (request, reply) => refund(deps, request, reply))
    app.get('/:endUserId/transactions/amount/:clientCorrelator', (request, reply) =>
      query(deps, request, reply),
    )
    app.get('/:endUserId/transactions', async (request) => list(deps, request))
  }
}

function read({ config }: EcocashDeps, request: FastifyRequest) {
  const parsed = readAmountTransaction(request.body)
  if ('refusal' in parsed) return parsed
  const isOurs = parsed.merchantCode === config.merchantCode && parsed.merchantPin === config.merchantPin
  return isOurs ? parsed : { refusal: 'E007' as const }
}

async function charge(deps: EcocashDeps, request: FastifyRequest, reply: FastifyReply) {
  const { config, wallet, upcoming } = deps
  const parsed = read(deps, request)
  if ('refusal' in parsed) return refuse(reply, config.vocabulary, parsed.refusal, parsed.field)
  if (parsed.tranType !== 'MER') return refuse(reply, config.vocabulary, 'E001', 'tranType')
  if (wallet.repeat(parsed.input.correlator)) return refuse(reply, config.vocabulary, 'E005')

  const behaviour = upcoming.take(parsed.input.number)
  const { chargeReply: word, replyDelayMs: delayMs } = behaviour
  return answerCall({ request, reply, word, delayMs }, async () => {
    const transaction = wallet.open(parsed.input, behaviour)
    const asTaken = render(config, transaction, 'charge')
    if (behaviour.callback === 'before_reply') {
      await wallet.startNow(transaction)
      return () => asTaken
    }
    wallet.start(transaction)
    return () => renderCharge(config, reply, transaction)
  })
}

/** The portal refuses a charge that has failed at once. */
function renderCharge(config: SimulatorConfig, reply: FastifyReply, transaction: Transaction) {
  const vocabulary = transaction.behaviour.vocabulary ?? config.vocabulary
  const code = Object.values(verdicts).find(({ message }) => message === transaction.message)?.code ?? null
  if (vocabulary === 'portal' && code !== null) return refuse(reply, vocabulary, code)
  return render(config, transaction, 'charge')
}

async function query(
  { config, ledger, subscribers }: EcocashDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const params = request.params as { endUserId: string; clientCorrelator: string }
  const transaction = ledger.get(params.clientCorrelator)
  if (transaction === null || transaction.number !== readNumber(params.endUserId)) {
    return config.vocabulary === 'legacy' ? nothingAtAll : refuse(reply, 'portal', 'E008')
  }
  const { behaviour } = transaction
  const how = countQuery(transaction)
  if (how === 'all_null') return nothingAtAll
  if (how === 'not_found') return refuse(reply, behaviour.vocabulary ?? config.vocabulary, 'E008')
  if (how !== 'normal') return spoil(request, reply, how)
  subscribers.noteLookup(transaction)
  return render(config, transaction, 'query')
}

async function refund(deps: EcocashDeps, request: FastifyRequest, reply: FastifyReply) {
  const { config, ledger, wallet } = deps
  const parsed = read(deps, request)
  if ('refusal' in parsed) return refuse(reply, config.vocabulary, parsed.refusal, parsed.field)
  const { input, originalReference } = parsed
  if (parsed.tranType === 'MER') return refuse(reply, config.vocabulary, 'E001', 'tranType')
  if (originalReference === null) {
    return refuse(reply, config.vocabulary, 'E001', 'originalEcocashReference')
  }
  if (wallet.repeat(input.correlator)) return refuse(reply, config.vocabulary, 'E005')
  const original = ledger.getByReference(originalReference)
  if (original?.kind !== 'charge') return refuse(reply, config.vocabulary, 'E008')

  const { behaviour } = original
  const vocabulary = behaviour.vocabulary ?? config.vocabulary
  if (behaviour.refund === 'conflict' || original.status !== 'completed') {
    return refuse(reply, vocabulary, 'E009')
  }
  if (input.currency !== original.currency || input.minor > original.minor - original.refundedMinor) {
    return refuse(reply, vocabulary, 'E012')
  }
  return answerCall({ request, reply, word: behaviour.refundReply }, () => {
    const body = render(config, wallet.refund(original, input), 'refund')
    return () => body
  })
}

function list({ config, ledger }: EcocashDeps, request: FastifyRequest) {
  const { endUserId } = request.params as { endUserId: string }
  const number = readNumber(endUserId)
  const found = number === null ? [] : ledger.ofNumber(number)
  return found.slice(-100).map((transaction) => render(config, transaction, 'query'))
}
