import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { SimulatorConfig } from '../config.ts'
import { openJournal } from '../journal.ts'
import { createSchedule } from '../schedule.ts'
import { DelayMs } from '../spoil.ts'
import { createUpcoming, Times } from '../upcoming.ts'

const Ending = z.enum(['paid', 'refused'])

/** The treatment of one charge. A charge without an ending stays open. */
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
  times: Times,
  behaviour: Behaviour,
})

type Status = 'open' | z.infer<typeof Ending>
type StoredCharge = z.infer<typeof Charge> & {
  readonly behaviour: Behaviour
  status: Status
  planned: { readonly status: Status; readonly at: number } | null
}

/** The provider's side of the protocol of Sample. It imports no code of the gateway. */
export function createSample(config: SimulatorConfig, now: () => number) {
  const upcoming = createUpcoming<Behaviour>()
  const charges = createCharges(config, now)
  return {
    mount(app: FastifyInstance): void {
      app.register(
        async (scope) => {
          scope.post('/charges', async (request, response) => {
            const parsed = Charge.safeParse(request.body)
            if (!parsed.success) return refuse(response, 400, 'invalid')
            if (charges.get(parsed.data.key)) return refuse(response, 409, 'duplicate')
            return reply(charges.open(parsed.data, upcoming.take()))
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
    start: charges.resume,
    stop: charges.stop,
  }
}

const idOf = ({ key }: StoredCharge) => key

/** The life of charges, which are kept in memory. */
function createCharges({ speed, keep }: SimulatorConfig, now: () => number) {
  const journal = openJournal<StoredCharge>({ folder: null, file: 'sample.jsonl', keep, idOf })
  const { timeAfter, save, start, resume, stop } = createSchedule(journal, {
    ...{ idOf, speed, now },
    onDue: (charge, { status }) => end(charge, status),
  })

  function end(charge: StoredCharge, status: Status): void {
    const late = charge.behaviour.latePaymentAfterMs
    const isLate = status === 'refused' && late !== undefined
    Object.assign(charge, { status, planned: isLate ? { status: 'paid', at: timeAfter(late) } : null })
    save(charge)
    start(charge)
  }

  return {
    get: journal.get,
    open(input: z.infer<typeof Charge>, behaviour: Behaviour): StoredCharge {
      const { ending } = behaviour
      const planned = ending ? { status: ending.status, at: timeAfter(ending.afterMs) } : null
      const charge: StoredCharge = { ...input, behaviour, status: 'open', planned }
      save(charge)
      start(charge)
      return charge
    },
    resume,
    stop,
  }
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
