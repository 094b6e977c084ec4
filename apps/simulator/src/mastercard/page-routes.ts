import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendPage } from '../page/frame.ts'
import { Problem } from '../problem.ts'
import type { Bank } from './bank.ts'
import { readCard } from './cards.ts'
import { type CardTransaction, isApproved, type Order } from './orders.ts'
import { cardPage, challengePage, closedPage } from './pages.ts'

const Card = z.object({
  number: z.string().max(40).default(''),
  expiry: z.string().max(10).default(''),
  cvv: z.string().max(10).default(''),
})
const Answer = z.object({ answer: z.enum(['approve', 'fail']) })
type Session = { Params: { session: string } }

/** The pages on which the payer enters the card and answers its bank, as plain HTML without a script. */
export function cardPageRoutes({ bank, now }: { bank: Bank; now: () => number }) {
  function existing(session: string): Order {
    const order = bank.bySession(session)
    if (order === null) throw new Problem(404, 'There is no such session')
    return order
  }

  const closedText = (order: Order): string | null => {
    if (isApproved(order)) return 'The payment is made.'
    return now() >= order.expiresAt ? 'The time for this payment is over.' : null
  }

  const sendClosed = (reply: FastifyReply, order: Order, text: string) =>
    sendPage(reply.code(410), closedPage(order, text))

  /** Leads the payer back to the shop, or lets the payer try another card. */
  function after(reply: FastifyReply, order: Order, { result }: CardTransaction) {
    if (result === 'SUCCESS') {
      const url = new URL(order.returnUrl)
      url.searchParams.set('resultIndicator', order.successIndicator)
      url.searchParams.set('sessionVersion', '1')
      return reply.redirect(url.href, 303)
    }
    if (order.failureUrl !== null) return reply.redirect(order.failureUrl, 303)
    return sendPage(
      reply.code(402),
      cardPage(order, {}, 'The card was not accepted. Please try another one.'),
    )
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.get<Session>('/pay/:session', async (request, reply) => {
      const order = existing(request.params.session)
      const closed = closedText(order)
      if (closed !== null) return sendClosed(reply, order, closed)
      return sendPage(reply, order.challenged ? challengePage(order) : cardPage(order, {}, null))
    })

    app.post<Session>('/pay/:session', async (request, reply) => {
      const order = existing(request.params.session)
      const closed = closedText(order)
      if (closed !== null) return sendClosed(reply, order, closed)
      if (order.challenged !== null) {
        const answer = Answer.safeParse(request.body)
        const answered = answer.success ? bank.answer(order, answer.data.answer === 'approve') : null
        return answered === null ? sendPage(reply, challengePage(order)) : after(reply, order, answered)
      }
      const card = readCard(Card.parse(request.body))
      if (!('masked' in card)) return sendPage(reply.code(422), cardPage(order, card, null))
      if (!card.isEnrolled) return after(reply, order, bank.pay(order, card.code, card))
      bank.challenge(order, card)
      return reply.redirect(`${request.url.split('?')[0]}`, 303)
    })
  }
}

/** The page of the card's bank, which a form of the merchant opens, and which leads back by a form. */
export function bankPageRoutes({ bank }: { bank: Bank }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Params: { order: string } }>('/:order', async (request, reply) => {
      const order = bank.get(request.params.order)
      if (order === null) throw new Problem(404, 'There is no such authentication')
      const answer = Answer.safeParse(request.body)
      if (answer.success) bank.answer(order, answer.data.answer === 'approve')
      if (answer.success || order.challenged === null) return reply.redirect(order.returnUrl, 307)
      return sendPage(reply, challengePage(order))
    })
  }
}
