import type { FastifyInstance } from 'fastify'
import type { SimulatorConfig } from '../config.ts'
import { createUpcoming } from '../upcoming.ts'
import { Bank } from './bank.ts'
import type { CardBehaviour } from './behaviour.ts'
import { cardControlRoutes } from './control.ts'
import { hostedFieldRoutes } from './hosted-fields.ts'
import { createNotifications } from './notifications.ts'
import { bankPageRoutes, cardPageRoutes } from './page-routes.ts'
import { transactionReply } from './replies.ts'
import { cardRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'

/** The provider's side of the Mastercard Gateway with Hosted Checkout and Hosted Session. */
export function createMastercard(config: SimulatorConfig, now: () => number) {
  const { keep, speed, dataFolder: folder, mastercard: account } = config
  const notifications = createNotifications(account.notificationSecret)
  const behaviours = createUpcoming<CardBehaviour>()
  const sessions = createSessions()
  const bank = new Bank({
    folder,
    keep,
    speed,
    now,
    notify: async (order, transaction) => {
      const { notification, notificationTimes = 1 } = order.behaviour
      if (order.notificationUrl === null || notification === 'lost') return
      const body = transactionReply(account.merchantId, order, transaction)
      await notifications.send(order.notificationUrl, body, notificationTimes)
      order.notificationsSent += notificationTimes
    },
  })
  return {
    mount(app: FastifyInstance): void {
      app.register(cardRoutes({ account, bank, behaviours, sessions }), {
        prefix: '/mastercard/api/rest/version/100',
      })
      app.register(cardPageRoutes({ bank, now }), { prefix: '/mastercard/checkout' })
      app.register(bankPageRoutes({ bank }), { prefix: '/mastercard/acs' })
      app.register(hostedFieldRoutes(sessions), {
        prefix: `/mastercard/form/version/100/merchant/${account.merchantId}`,
      })
      app.register(cardControlRoutes({ bank, behaviours, sessions }), { prefix: '/control/mastercard' })
    },
    start: () => bank.resume(),
    stop(): void {
      notifications.stop()
      bank.stop()
    },
  }
}
