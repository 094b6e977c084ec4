import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createPoster } from '../callbacks.ts'
import type { SimulatorConfig } from '../config.ts'
import { cardMovements } from '../movements.ts'
import { createUpcoming } from '../upcoming.ts'
import { Bank } from './bank.ts'
import type { CardBehaviour } from './behaviour.ts'
import { cardControlRoutes } from './control.ts'
import { hostedFieldRoutes } from './hosted-fields.ts'
import { bankPageRoutes, cardPageRoutes } from './page-routes.ts'
import { transactionReply } from './replies.ts'
import { cardRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'

/** The provider's side of the Mastercard Gateway with Hosted Checkout and Hosted Session. */
export function createMastercard(config: SimulatorConfig, now: () => number) {
  const { keep, speed, dataFolder: folder, mastercard: account } = config
  const { post, stop } = createPoster()
  const upcoming = createUpcoming<CardBehaviour>()
  const sessions = createSessions()
  const bank = new Bank({
    folder,
    keep,
    speed,
    now,
    notify: async (order, transaction) => {
      const { notificationUrl: url, behaviour } = order
      const { notification, notificationTimes: times = 1 } = behaviour
      if (url === null || notification === 'lost') return
      const body = JSON.stringify(transactionReply(account.merchantId, order, transaction))
      const headers = {
        'content-type': 'application/json',
        'x-notification-secret': account.notificationSecret,
      }
      const sendOnce = (attempt: number) =>
        post(
          url,
          { ...headers, 'x-notification-id': randomUUID(), 'x-notification-attempt': String(attempt) },
          body,
        )
      // Delivery is not guaranteed: no notification is repeated after its failure.
      await Promise.all(Array.from({ length: times }, (_, index) => sendOnce(index + 1)))
    },
  })
  return {
    mount(app: FastifyInstance): void {
      app.register(cardRoutes({ account, bank, upcoming, sessions }), {
        prefix: '/mastercard/api/rest/version/100',
      })
      app.register(cardPageRoutes({ bank, now }), { prefix: '/mastercard/checkout' })
      app.register(bankPageRoutes({ bank }), { prefix: '/mastercard/acs' })
      app.register(hostedFieldRoutes(sessions), {
        prefix: `/mastercard/form/version/100/merchant/${account.merchantId}`,
      })
      app.register(cardControlRoutes({ bank, upcoming, sessions }), { prefix: '/control/mastercard' })
    },
    movements: () => cardMovements(bank.all()),
    start: () => bank.resume(),
    stop(): void {
      stop()
      bank.stop()
    },
  }
}
