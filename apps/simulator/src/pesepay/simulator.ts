import type { FastifyInstance } from 'fastify'
import type { SimulatorConfig } from '../config.ts'
import { createUpcoming } from '../upcoming.ts'
import type { PesepayBehaviour } from './behaviour.ts'
import { pesepayControlRoutes } from './control.ts'
import { createPayments, type PesepayPayment } from './payments.ts'
import { resultReply } from './replies.ts'
import { pesepayRoutes } from './routes.ts'

const CALLBACK_TIMEOUT_MS = 10_000

/** Pesepay's side of its payments engine, with the page of the payers. */
export function createPesepay(config: SimulatorConfig, now: () => number) {
  const { keep, speed, dataFolder: folder, pesepay: account } = config
  const behaviours = createUpcoming<PesepayBehaviour>()
  const stopped = new AbortController()

  /** A callback is plain JSON and is sent once; a reversal is a second callback. */
  async function notify(payment: PesepayPayment): Promise<void> {
    const { resultUrl, behaviour } = payment
    if (behaviour.callback === 'lost' || stopped.signal.aborted) return
    try {
      const response = await fetch(resultUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(behaviour.callback !== 'unsigned' && { authorization: account.integrationKey }),
        },
        body: JSON.stringify(resultReply(payment)),
        redirect: 'manual',
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(CALLBACK_TIMEOUT_MS)]),
      })
      await response.body?.cancel()
    } catch {
      // A merchant's server that does not answer is no fault of the provider.
    }
  }

  const payments = createPayments({ folder, keep, speed, now, notify: (payment) => void notify(payment) })
  return {
    mount(app: FastifyInstance): void {
      app.register(pesepayRoutes({ account, payments, behaviours }), { prefix: '/pesepay' })
      app.register(pesepayControlRoutes({ payments, behaviours }), { prefix: '/control/pesepay' })
    },
    start: payments.resume,
    stop(): void {
      stopped.abort()
      payments.stop()
    },
  }
}
