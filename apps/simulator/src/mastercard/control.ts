import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Problem } from '../problem.ts'
import { Times, type Upcoming } from '../upcoming.ts'
import type { Bank } from './bank.ts'
import { CardBehaviour } from './behaviour.ts'
import { gatewayCodeNames } from './cards.ts'
import { capturedOf, chargedBackOf, isPaid, refundedOf } from './orders.ts'
import { fieldNames, type Sessions } from './sessions.ts'

const Next = z.strictObject({
  order: z.string().optional(),
  times: Times,
  behaviour: CardBehaviour,
})
const Fields = z.strictObject(Object.fromEntries(fieldNames.map((name) => [name, z.string().max(40)])))
const Payment = z.strictObject({ code: z.enum(gatewayCodeNames).default('APPROVED') })
const Chargeback = z.strictObject({ minor: z.int().positive().optional() })

interface ControlDeps {
  readonly bank: Bank
  readonly upcoming: Upcoming<CardBehaviour>
  readonly sessions: Sessions
}

/** Controls that no real provider has: tests order misbehaviour and read the provider's records. */
export function cardControlRoutes({ bank, upcoming, sessions }: ControlDeps) {
  function existing(id: string) {
    const order = bank.get(id)
    if (order === null) throw new Problem(404, 'There is no order with this id')
    return order
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.post('/next', async (request, reply) => {
      const { order: id, times, behaviour } = Next.parse(request.body)
      if (id === undefined) upcoming.order(behaviour, times)
      else {
        const order = existing(id)
        Object.assign(order, { behaviour: { ...order.behaviour, ...behaviour }, lookups: 0 })
        bank.save(order)
      }
      return reply.code(204).send()
    })

    app.delete('/next', async (_request, reply) => {
      upcoming.clear()
      return reply.code(204).send()
    })

    /** Fills in the fields of a session without a browser. */
    app.post<{ Params: { session: string } }>('/sessions/:session', async (request, reply) => {
      const session = sessions.get(request.params.session)
      if (session === null) throw new Problem(404, 'There is no session with this id')
      Object.assign(session.fields, Fields.parse(request.body))
      return reply.code(204).send()
    })

    app.post<{ Params: { order: string } }>('/payments/:order', async (request, reply) => {
      bank.pay(existing(request.params.order), Payment.parse(request.body ?? {}).code, null)
      return reply.code(204).send()
    })

    app.post<{ Params: { order: string } }>('/chargebacks/:order', async (request, reply) => {
      const order = existing(request.params.order)
      const { minor = capturedOf(order) } = Chargeback.parse(request.body ?? {})
      if (!isPaid(order)) throw new Problem(409, 'Only a paid order can be charged back')
      bank.chargeBack(order, minor)
      return reply.code(204).send()
    })

    app.get('/orders', async () => ({
      orders: bank.all().map((order) => ({
        ...order,
        captured: capturedOf(order),
        refunded: refundedOf(order),
        chargedBack: chargedBackOf(order),
      })),
    }))
  }
}
