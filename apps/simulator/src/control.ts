import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Behaviour } from './behaviour.ts'
import type { Callbacks } from './callbacks.ts'
import type { Ledger } from './ledger.ts'
import { Problem } from './problem.ts'
import { readNumber } from './request-fields.ts'
import { type AllSubscribers, Subscribers } from './subscribers.ts'
import { Times, type Upcoming } from './upcoming.ts'
import type { Wallet } from './wallet.ts'

const Next = z.strictObject({
  msisdn: z.string().optional(),
  correlator: z.string().optional(),
  times: Times,
  behaviour: Behaviour,
})
const Reversal = z.strictObject({ reported: z.boolean().default(true) })
const Refund = z.strictObject({ minor: z.int().positive().optional() })
const Resend = z.strictObject({ times: z.int().min(1).max(10).default(1) })

export interface ControlDeps {
  readonly ledger: Ledger
  readonly wallet: Wallet
  readonly upcoming: Upcoming<Behaviour>
  readonly callbacks: Callbacks
  readonly subscribers: AllSubscribers
}

/** Controls that no real provider has: tests order misbehaviour and read the provider's records. */
export function controlRoutes({ ledger, wallet, upcoming, callbacks, subscribers }: ControlDeps) {
  function existing(correlator: string) {
    const transaction = ledger.get(correlator)
    if (transaction === null) throw new Problem(404, 'No transaction has this correlator')
    return transaction
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.post('/next', async (request, reply) => {
      const order = Next.parse(request.body)
      if (order.correlator !== undefined) {
        wallet.adjust(existing(order.correlator), order.behaviour)
        return reply.code(204).send()
      }
      const msisdn = order.msisdn === undefined ? null : readNumber(order.msisdn)
      if (order.msisdn !== undefined && msisdn === null) {
        throw new Problem(422, 'msisdn: must be a Zimbabwean mobile number')
      }
      upcoming.order(order.behaviour, order.times, msisdn)
      return reply.code(204).send()
    })

    app.post('/subscribers', async (request, reply) => {
      subscribers.behave(Subscribers.parse(request.body))
      return reply.code(204).send()
    })

    app.get('/subscribers', async () => ({ ...subscribers.counts, ended: subscribers.takeEnded() }))

    app.delete('/next', async (_request, reply) => {
      upcoming.clear()
      return reply.code(204).send()
    })

    app.post<{ Params: { correlator: string } }>('/callbacks/:correlator', async (request, reply) => {
      const { times } = Resend.parse(request.body ?? {})
      await callbacks.send(existing(request.params.correlator), times)
      return reply.code(204).send()
    })

    app.post<{ Params: { correlator: string } }>('/reversals/:correlator', async (request, reply) => {
      const { reported } = Reversal.parse(request.body ?? {})
      if (!wallet.reverse(existing(request.params.correlator), reported))
        throw new Problem(409, 'Only a paid charge can be taken back')
      return reply.code(204).send()
    })

    app.post<{ Params: { correlator: string } }>('/refunds/:correlator', async (request, reply) => {
      const charge = existing(request.params.correlator)
      const { minor = charge.minor - charge.refundedMinor } = Refund.parse(request.body ?? {})
      if (!wallet.refundOutside(charge, minor))
        throw new Problem(409, 'Only the rest of a paid charge can be refunded')
      return reply.code(204).send()
    })

    app.get('/transactions', async () => ({
      transactions: ledger.all().map((transaction) => ({
        ...transaction,
        createdAt: new Date(transaction.createdAt).toISOString(),
        endedAt: transaction.endedAt === null ? null : new Date(transaction.endedAt).toISOString(),
      })),
    }))
  }
}
