import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Ledger, Transaction } from '../ledger.ts'
import { sendPage } from '../page/frame.ts'
import { amountText } from '../page/parts.ts'
import { Problem } from '../problem.ts'
import { readNumber } from '../request-fields.ts'
import { PROMPT_LIFE_MS } from '../verdicts.ts'
import type { Wallet } from '../wallet.ts'
import { messageText, promptText } from './messages.ts'
import { listPage, phonePage } from './page.ts'

export interface PhoneDeps {
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly speed: number
  readonly now: () => number
}

const Query = z.object({ number: z.string().max(32).optional() })
const Answer = z.union([
  z.object({ decline: z.union([z.literal(true), z.literal('true')]), pin: z.string().optional() }),
  z.object({ pin: z.string().regex(/^\d{4}$/, 'must be four digits') }),
])

/** The subscriber's handset: a page for people, the same as JSON for tests. */
export function phoneRoutes(deps: PhoneDeps) {
  const { ledger, wallet, speed } = deps
  const asJson = (transaction: Transaction) => ({
    correlator: transaction.correlator,
    number: transaction.number,
    amount: amountText(transaction),
    merchantName: transaction.shopName,
    text: promptText(transaction),
    expiresAt: new Date(transaction.createdAt + PROMPT_LIFE_MS / speed).toISOString(),
  })
  const waiting = () => ledger.all().filter((transaction) => transaction.prompt)

  return async (app: FastifyInstance): Promise<void> => {
    app.get('/', async (request, reply) => {
      const { number = '' } = Query.parse(request.query)
      if (number.trim() === '') return sendPage(reply, listPage(waiting()))
      const read = readNumber(number)
      if (read !== null) return sendPage(reply, phonePage(viewOf(deps, read)))
      return sendPage(
        reply.code(422),
        listPage(waiting(), number, 'Please enter a number such as 077 100 0001'),
      )
    })

    app.get('/prompts', async (request) => {
      const { number } = Query.parse(request.query)
      const read = number === undefined ? null : readNumber(number)
      if (number !== undefined && read === null) {
        throw new Problem(422, 'number: must be a Zimbabwean mobile number')
      }
      const transactions = read === null ? ledger.all() : ledger.ofNumber(read)
      return {
        prompts: transactions.filter((transaction) => transaction.prompt).map(asJson),
        messages: transactions.flatMap((transaction) => messageText(transaction) ?? []).slice(-20),
      }
    })

    app.post<{ Params: { correlator: string } }>('/reversals/:correlator', async (request, reply) => {
      const transaction = ledger.get(request.params.correlator)
      if (transaction === null) throw new Problem(404, 'No payment has this correlator')
      wallet.reverse(transaction)
      return reply.redirect(`/phone?number=${transaction.number}`, 303)
    })

    app.post('/prompts/:correlator', (request, reply) => answerPrompt(deps, request, reply))
  }
}

const viewOf = ({ ledger, now }: PhoneDeps, number: string) => ({
  number,
  transactions: ledger.ofNumber(number),
  now: now(),
})

async function answerPrompt(deps: PhoneDeps, request: FastifyRequest, reply: FastifyReply) {
  const { ledger, wallet } = deps
  const { correlator } = request.params as { correlator: string }
  const transaction = ledger.get(correlator)
  if (transaction === null) throw new Problem(404, 'No prompt has this correlator')
  const { number } = transaction
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const answer = Answer.safeParse(request.body)
  if (!answer.success) {
    if (!isForm) throw answer.error
    return sendPage(reply.code(422), phonePage({ ...viewOf(deps, number), error: 'The PIN has four digits' }))
  }
  const taken = wallet.answer(transaction, 'decline' in answer.data ? { decline: true } : answer.data)
  // A prompt that has ended meanwhile is not the payer's error: the page shows the state of the charge.
  if (isForm) return reply.redirect(`/phone?number=${number}`, 303)
  if (!taken) throw new Problem(409, 'This prompt is no longer waiting')
  return { correlator, status: transaction.status, message: transaction.message }
}
