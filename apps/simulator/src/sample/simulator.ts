import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { SimulatorConfig } from '../config.ts'
import { createUpcoming } from '../upcoming.ts'

const DelayMs = z.int().min(0).max(600_000)
const Ending = z.enum(['paid', 'refused'])

/** How one charge is treated. A charge without an ending stays open. */
const Behaviour = z.strictObject({
  ending: z.strictObject({ status: Ending, afterMs: DelayMs.default(0) }).optional(),
  /** A refused charge is paid after all, so much later. */
  latePaymentAfterMs: DelayMs.optional(),
  /** The amount in cents that look-ups report. */
  echoMinor: z.int().min(0).optional(),
})
type Behaviour = z.infer<typeof Behaviour>

const Charge = z.object({
  key: z.string().min(1),
  amount: z.int().positive(),
  currency: z.enum(['USD', 'ZWG']),
})
const Next = z.strictObject({
  times: z.int().min(1).max(1_000_000).default(1),
  behaviour: Behaviour,
})

type Status = 'open' | z.infer<typeof Ending>
type StoredCharge = z.infer<typeof Charge> & { readonly behaviour: Behaviour; status: Status }

/** The provider's side of the protocol of Sample. It imports no code of the gateway. */
export function createSample({ speed, keep }: SimulatorConfig) {
  const charges = new Map<string, StoredCharge>()
  const timers = new Set<NodeJS.Timeout>()
  const upcoming = createUpcoming<Behaviour>()

  function end(charge: StoredCharge, status: Status): void {
    charge.status = status
    const late = charge.behaviour.latePaymentAfterMs
    if (status === 'refused' && late !== undefined) endAfter(charge, 'paid', late)
  }

  function endAfter(charge: StoredCharge, status: Status, afterMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      end(charge, status)
    }, afterMs / speed)
    timers.add(timer)
  }

  function open(input: z.infer<typeof Charge>): StoredCharge {
    const behaviour = upcoming.take() ?? {}
    const charge: StoredCharge = { ...input, behaviour, status: 'open' }
    charges.set(charge.key, charge)
    for (const [oldest] of charges) {
      if (charges.size <= keep) break
      charges.delete(oldest)
    }
    if (behaviour.ending) endAfter(charge, behaviour.ending.status, behaviour.ending.afterMs)
    return charge
  }

  const reply = ({ key, status, amount, currency, behaviour }: StoredCharge) => ({
    id: `S-${key}`,
    key,
    status,
    amount: behaviour.echoMinor ?? amount,
    currency,
  })
  const refuse = (response: FastifyReply, status: number, error: string) =>
    response.code(status).send({ error })

  return {
    mount(app: FastifyInstance): void {
      app.register(
        async (scope) => {
          scope.post('/charges', async (request, response) => {
            const parsed = Charge.safeParse(request.body)
            if (!parsed.success) return refuse(response, 400, 'invalid')
            if (charges.has(parsed.data.key)) return refuse(response, 409, 'duplicate')
            return reply(open(parsed.data))
          })
          scope.get<{ Params: { key: string } }>('/charges/:key', async (request, response) => {
            const charge = charges.get(request.params.key)
            return charge ? reply(charge) : refuse(response, 404, 'not_found')
          })
        },
        { prefix: '/sample' },
      )
      app.post('/control/sample/next', async (request, response) => {
        const { behaviour, times } = Next.parse(request.body)
        upcoming.order(behaviour, times)
        return response.code(204).send()
      })
    },
    start(): void {},
    stop(): void {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
