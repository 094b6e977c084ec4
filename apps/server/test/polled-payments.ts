import type { PaymentMethod } from '@muripo/contract/enums'
import { refundPayment } from '../src/modules/payments/actions/request-refund.ts'
import { startAttempt } from '../src/modules/payments/actions/start-attempt.ts'
import { paymentsCtx } from '../src/modules/payments/context.ts'
import {
  latestAttempt,
  lookUpDue,
  makePayment,
  paymentNow,
  tracesOf,
} from '../src/modules/payments/factory.ts'
import type { Connector } from '../src/modules/providers/connector.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../src/platform/async/background-tasks.ts'
import type { Clock } from '../src/platform/clock.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { byMerchant } from './audit-entries.ts'
import { test } from './fixtures.ts'
import { type Simulator, startSimulator } from './simulator.ts'
import { terminalOf } from './terminal.ts'

/**
 * Tests with a connector to a provider that sends no callbacks, on the simulator: look-ups find each outcome. `polled` is a new payment in
 * each test.
 */
export const testPolled = (connectorOf: (simulator: Simulator, clock: Clock) => Connector) =>
  test
    .extend('simulator', { scope: 'file' }, async ({ env }, { onCleanup }) => {
      const simulator = await startSimulator(env)
      onCleanup(() => simulator.stop())
      return simulator
    })
    // One machine, because the master key of its first command is the database's.
    .extend('admin', { scope: 'file' }, ({ world }) => terminalOf(world.ctx.databaseUrl).admin)
    .extend('polled', async ({ world, shop, simulator }) => {
      const connector = connectorOf(simulator, world.ctx.clock)
      const ctx = paymentsCtx(world.ctx, registryOf([connector]), createBackgroundTasks(world.ctx.log))
      const payment = await makePayment(ctx, shop.owner)
      return {
        now: () => paymentNow(ctx, shop.owner, payment.id),
        status: async () => (await paymentNow(ctx, shop.owner, payment.id)).status,
        attempt: () => latestAttempt(ctx, payment),
        traces: () => tracesOf(ctx, payment),
        refundIds: async () => {
          const { rows } = await ctx.db.pool.query<{ id: string }>(
            'select id from refunds where payment_id = $1',
            [uuidOf(payment.id)],
          )
          return rows.map(({ id }) => id)
        },
        async start(method: PaymentMethod, phone: string) {
          const { answered } = await startAttempt(ctx, payment.accountId, payment.id, { method, phone })
          await answered
          return latestAttempt(ctx, payment)
        },
        /** Looks up what is due after this time. */
        async later(ms: number) {
          world.ctx.clock.advance(ms)
          await lookUpDue(ctx)
        },
        refund: (amount: number) =>
          refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
            amount,
            currency: 'USD',
          }),
      }
    })
