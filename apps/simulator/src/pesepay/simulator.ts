import type { FastifyInstance } from 'fastify'
import { createPoster } from '../callbacks.ts'
import type { SimulatorConfig } from '../config.ts'
import { pesepayMovements } from '../movements.ts'
import { createUpcoming } from '../upcoming.ts'
import type { PesepayBehaviour } from './behaviour.ts'
import { pesepayControlRoutes } from './control.ts'
import { createPayments, type PesepayPayment } from './payments.ts'
import { resultReply } from './replies.ts'
import { pesepayRoutes } from './routes.ts'

/** Pesepay's side of its payments engine, with the page of the payers. */
export function createPesepay(config: SimulatorConfig, now: () => number) {
  const { keep, speed, dataFolder: folder, pesepay: account } = config
  const upcoming = createUpcoming<PesepayBehaviour>()
  const { post, stop } = createPoster()

  /** A callback is plain JSON and is sent once; a reversal is a second callback. */
  function notify(payment: PesepayPayment): void {
    const { resultUrl, behaviour } = payment
    if (behaviour.callback === 'lost') return
    const signature = behaviour.callback !== 'unsigned' && { authorization: account.integrationKey }
    void post(
      resultUrl,
      { 'content-type': 'application/json', ...signature },
      JSON.stringify(resultReply(payment)),
    )
  }

  const payments = createPayments({ folder, keep, speed, now, notify })
  return {
    mount(app: FastifyInstance): void {
      app.register(pesepayRoutes({ account, payments, upcoming }), { prefix: '/pesepay' })
      app.register(pesepayControlRoutes({ payments, upcoming }), { prefix: '/control/pesepay' })
    },
    movements: () => pesepayMovements(payments.all()),
    start: payments.resume,
    stop(): void {
      stop()
      payments.stop()
    },
  }
}
