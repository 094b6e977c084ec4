/** A process that starts charges at a provider that never answers, until a test kills it. */
import { MerchantId, PaymentId } from '@muripo/contract/ids'
import { openCtx } from '../src/admin/context.ts'
import { parseGatewayConfig } from '../src/gateway-config.ts'
import { startAttempt } from '../src/modules/payments/actions/start-attempt.ts'
import { paymentsCtx } from '../src/modules/payments/context.ts'
import { scriptedProvider } from '../src/modules/payments/factory.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../src/platform/async/background-tasks.ts'
import { createDatabase } from '../src/platform/db/database.ts'
import { simulateTime } from '../src/platform/db/simulated-time.ts'

const [now = '', merchant = '', ...payments] = process.argv.slice(2)
const provider = scriptedProvider()
provider.charge = () => {
  if (provider.charges.length === payments.length) process.send?.('charging')
  return new Promise(() => undefined)
}
const clock = { now: () => new Date(now) }
const db = simulateTime(createDatabase(process.env.GROUP_URL ?? '', { maxConnections: 2 }), clock)
const base = { ...(await openCtx(parseGatewayConfig(process.env))), clock, db, reads: db, background: db }
const ctx = paymentsCtx(base, registryOf([provider.connector]), createBackgroundTasks(base.log))
const input = { method: 'ecocash', phone: '0771234567' } as const
for (const payment of payments)
  await startAttempt(ctx, MerchantId.parse(merchant), PaymentId.parse(payment), input)
