import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Behaviour } from '../behaviour.ts'
import type { SimulatorConfig } from '../config.ts'
import type { Ledger } from '../ledger.ts'
import { sendPage } from '../page/frame.ts'
import { Problem } from '../problem.ts'
import { answerCall, countQuery, spoil } from '../spoil.ts'
import type { Upcoming } from '../upcoming.ts'
import { decisionOf } from '../verdicts.ts'
import type { ChargeInput, Wallet } from '../wallet.ts'
import { hashOf, readForm, write } from './form.ts'
import { choices, confirmPage } from './page.ts'
import { type Charge, FORM, isCharge, refusal, started, statusOf } from './replies.ts'
import { openRequest, readCharge } from './requests.ts'

export interface PaynowDeps {
  readonly config: SimulatorConfig
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly upcoming: Upcoming<Behaviour>
}

const Choice = z.object({ verdict: z.enum(Object.keys(choices) as [keyof typeof choices]) })

/** Paynow's side of its protocol: forms in both directions, signed with a hash, and errors under HTTP 200. */
export function paynowRoutes(deps: PaynowDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    // The hash covers the fields in the order of the text.
    app.removeContentTypeParser(FORM)
    app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.get('/', async (_request, reply) => sendPage(reply, 'Paynow'))
    app.post('/interface/initiatetransaction', (request, reply) => charge(deps, request, reply, false))
    app.post('/interface/remotetransaction', (request, reply) => charge(deps, request, reply, true))
    app.post('/interface/trace', async (request, reply) => trace(deps, request, reply))
    app.post('/Interface/CheckPayment', async (request, reply) => check(deps, request, reply))
    app.get('/Payment/ConfirmPayment/:guid', async (request, reply) =>
      sendPage(reply, confirmPage(pageOf(deps, request))),
    )
    app.post('/Payment/ConfirmPayment/:guid', async (request, reply) => {
      const transaction = pageOf(deps, request)
      const { verdict } = Choice.parse(Object.fromEntries(readForm(String(request.body))))
      deps.wallet.decide(transaction, verdict)
      return reply.redirect(transaction.paynow.returnUrl, 303)
    })
  }
}

const sendForm = (reply: FastifyReply, text: string): FastifyReply => reply.type(FORM).send(text)

async function charge(
  { config, ledger, wallet, upcoming }: PaynowDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  isExpress: boolean,
) {
  const input = readCharge({ config, ledger }, request, isExpress)
  if (typeof input === 'string') return sendForm(reply, refusal(input))
  const behaviour = upcoming.take(input.number)
  const { chargeReply: word, replyDelayMs: delayMs } = behaviour
  return answerCall({ request, reply, word, delayMs }, async () => {
    if (isRefused(input, behaviour)) return () => sendForm(reply, refusal('Insufficient balance', behaviour))
    const transaction = wallet.open(input, behaviour)
    const text = started(transaction as Charge)
    if (behaviour.callback === 'before_reply') await wallet.startNow(transaction)
    else wallet.start(transaction)
    return () => sendForm(reply, text)
  })
}

const byGuid = ({ ledger }: PaynowDeps, guid: string): Charge | null =>
  ledger
    .all()
    .filter(isCharge)
    .find(({ paynow }) => paynow.guid === guid) ?? null

function check(deps: PaynowDeps, request: FastifyRequest, reply: FastifyReply) {
  const { guid = '' } = request.query as { guid?: string }
  const transaction = byGuid(deps, guid)
  if (transaction === null) return sendForm(reply, refusal('Transaction not found'))
  return answerStatus(request, reply, transaction)
}

function trace({ config, ledger }: PaynowDeps, request: FastifyRequest, reply: FastifyReply) {
  const opened = openRequest(config, request.body)
  if (typeof opened === 'string') return sendForm(reply, refusal(opened))
  const { integration, field } = opened
  const transaction = ledger.get(field('merchanttrace'))
  const isOwn = transaction?.paynow?.integration === integration.id
  if (isOwn) return answerStatus(request, reply, transaction as Charge)
  const missing = [['status', 'NotFound']] as const
  return sendForm(reply, write([...missing, ['hash', hashOf(missing, integration.key)]]))
}

function pageOf(deps: PaynowDeps, request: FastifyRequest): Charge {
  const { guid } = request.params as { guid: string }
  const transaction = byGuid(deps, guid)
  if (transaction === null) throw new Problem(404, 'There is no such payment')
  return transaction
}

/** The wallet refuses a number without money before a transaction exists. */
const isRefused = ({ number }: ChargeInput, { decision }: Behaviour): boolean => {
  const { verdict, afterMs } = decision ?? decisionOf(number) ?? {}
  return verdict === 'insufficient_funds' && afterMs === 0
}

function answerStatus(request: FastifyRequest, reply: FastifyReply, transaction: Charge) {
  const how = countQuery(transaction)
  if (how === 'all_null') return sendForm(reply, '')
  if (how === 'not_found') return sendForm(reply, write([['status', 'NotFound']]))
  if (how !== 'normal') return spoil(request, reply, how)
  const { error } = transaction.behaviour.paynow ?? {}
  return sendForm(reply, error === undefined ? statusOf(transaction) : refusal(error, transaction.behaviour))
}
