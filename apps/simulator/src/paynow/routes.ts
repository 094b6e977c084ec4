import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Behaviour, Behaviours } from '../behaviour.ts'
import type { SimulatorConfig } from '../config.ts'
import type { Ledger } from '../ledger.ts'
import { sendPage } from '../page/frame.ts'
import { Problem } from '../problem.ts'
import { countQuery, readSpoiling, spoil } from '../spoil.ts'
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
  readonly behaviours: Behaviours
}

const Choice = z.object({ verdict: z.enum(Object.keys(choices) as [keyof typeof choices]) })

/** Paynow's side of its protocol: forms in both directions, signed with a hash, and errors under HTTP 200. */
export function paynowRoutes({ config, ledger, wallet, behaviours }: PaynowDeps) {
  const byGuid = (guid: string): Charge | null =>
    ledger
      .all()
      .filter(isCharge)
      .find(({ paynow }) => paynow.guid === guid) ?? null

  const charge = (isExpress: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
    const input = readCharge({ config, ledger }, request, isExpress)
    if (typeof input === 'string') return reply.type(FORM).send(refusal(input))
    const behaviour = behaviours.take(input.number)
    const spoiling = readSpoiling(behaviour.chargeReply)
    if (spoiling?.processed === false) {
      await sleep(behaviour.replyDelayMs ?? 0)
      return spoil(request, reply, spoiling.how)
    }
    if (isRefused(input, behaviour)) return reply.type(FORM).send(refusal('Insufficient balance'))
    const transaction = wallet.open(input, behaviour)
    const text = started(transaction as Charge)
    if (behaviour.callback === 'before_reply') await wallet.startNow(transaction)
    else void wallet.start(transaction)
    await sleep(behaviour.replyDelayMs ?? 0)
    return spoiling === null ? reply.type(FORM).send(text) : spoil(request, reply, spoiling.how)
  }

  async function check(request: FastifyRequest, reply: FastifyReply) {
    const { guid = '' } = request.query as { guid?: string }
    const transaction = byGuid(guid)
    if (transaction === null) return reply.type(FORM).send(refusal('Transaction not found'))
    return answerStatus(request, reply, transaction)
  }

  async function trace(request: FastifyRequest, reply: FastifyReply) {
    const opened = openRequest(config, request.body)
    if (typeof opened === 'string') return reply.type(FORM).send(refusal(opened))
    const { integration, field } = opened
    const transaction = ledger.get(field('merchanttrace'))
    const isOwn = transaction?.paynow?.integration === integration.id
    if (!isOwn) {
      const missing = [['Status', 'NotFound']] as const
      return reply.type(FORM).send(write([...missing, ['Hash', hashOf(missing, integration.key)]]))
    }
    return answerStatus(request, reply, transaction as Charge)
  }

  function pageOf(request: FastifyRequest): Charge {
    const { guid } = request.params as { guid: string }
    const transaction = byGuid(guid)
    if (transaction === null) throw new Problem(404, 'There is no such payment')
    return transaction
  }

  return async (app: FastifyInstance): Promise<void> => {
    // The hash covers the fields in the order of the text.
    app.removeContentTypeParser(FORM)
    app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.get('/', async (_request, reply) => sendPage(reply, 'Paynow'))
    app.post('/interface/initiatetransaction', charge(false))
    app.post('/interface/remotetransaction', charge(true))
    app.post('/interface/trace', trace)
    app.post('/Interface/CheckPayment', check)
    app.get('/Payment/ConfirmPayment/:guid', async (request, reply) =>
      sendPage(reply, confirmPage(pageOf(request))),
    )
    app.post('/Payment/ConfirmPayment/:guid', async (request, reply) => {
      const transaction = pageOf(request)
      const { verdict } = Choice.parse(Object.fromEntries(readForm(String(request.body))))
      wallet.decide(transaction, verdict)
      return reply.redirect(transaction.paynow.returnUrl, 303)
    })
  }
}

/** The wallet of a number without money refuses before there is a transaction. */
const isRefused = ({ number }: ChargeInput, { decision }: Behaviour): boolean => {
  const { verdict, afterMs } = decision ?? decisionOf(number) ?? {}
  return verdict === 'insufficient_funds' && afterMs === 0
}

function answerStatus(request: FastifyRequest, reply: FastifyReply, transaction: Charge) {
  const { behaviour } = transaction
  const how = countQuery(transaction)
  if (how === 'all_null') return reply.type(FORM).send('')
  if (how === 'not_found') return reply.type(FORM).send(write([['Status', 'NotFound']]))
  if (how !== 'normal') return spoil(request, reply, how)
  const { error } = behaviour.paynow ?? {}
  return reply.type(FORM).send(error === undefined ? statusOf(transaction) : refusal(error))
}
