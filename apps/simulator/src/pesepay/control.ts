import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Problem } from '../problem.ts'
import { Times, type Upcoming } from '../upcoming.ts'
import { PesepayBehaviour, statuses } from './behaviour.ts'
import type { Payments } from './payments.ts'
import { resultReply } from './replies.ts'

interface ControlDeps {
  readonly payments: Payments
  readonly upcoming: Upcoming<PesepayBehaviour>
}

const Next = z.strictObject({
  times: Times,
  behaviour: PesepayBehaviour,
})
const Change = z.strictObject({ status: z.enum(statuses), behaviour: PesepayBehaviour.default({}) })

/** Controls that no real provider has: tests order misbehaviour and change a payment, such as a reversal. */
export function pesepayControlRoutes({ payments, upcoming }: ControlDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.post('/next', async (request, reply) => {
      const { behaviour, times } = Next.parse(request.body)
      upcoming.order(behaviour, times)
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
