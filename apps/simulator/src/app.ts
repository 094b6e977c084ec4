import formBody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Behaviour } from './behaviour.ts'
import { createCallbacks } from './callbacks.ts'
import type { SimulatorConfig } from './config.ts'
import { controlRoutes } from './control.ts'
import { callbackOf } from './ecocash/replies.ts'
import { ecocashRoutes } from './ecocash/routes.ts'
import { ecocashOpenRoutes } from './ecocash-open/routes.ts'
import { createInnbucks } from './innbucks/simulator.ts'
import { openLedger } from './ledger.ts'
import { createMastercard } from './mastercard/simulator.ts'
import { walletMovements } from './movements.ts'
import { isCharge, updateOf } from './paynow/replies.ts'
import { paynowRoutes } from './paynow/routes.ts'
import { createPesepay } from './pesepay/simulator.ts'
import { phoneRoutes } from './phone/routes.ts'
import { answerProblems } from './problem.ts'
import { rateLimit } from './rate-limit.ts'
import { createSample } from './sample/simulator.ts'
import { statementRoutes } from './statements.ts'
import { createSubscribers } from './subscribers.ts'
import { createUpcoming } from './upcoming.ts'
import { createWallet } from './wallet.ts'

export interface Simulator {
  readonly app: FastifyInstance
  /** Starts the timers. Decisions whose time passed while the simulator was down take effect now. */
  start(): void
}

export function buildSimulator(config: SimulatorConfig, now: () => number): Simulator {
  const { keep, speed } = config
  const ledger = openLedger(config.dataFolder, keep)
  const subscribers = createSubscribers()
  const upcoming = createUpcoming<Behaviour>(subscribers.next)
  const callbacks = createCallbacks({
    speed,
    write: (transaction) => (isCharge(transaction) ? updateOf(transaction) : callbackOf(config, transaction)),
    save: (transaction) => {
      // The transaction may have been removed during the callback.
      if (ledger.get(transaction.correlator) === transaction) wallet.save(transaction)
    },
  })
  const wallet = createWallet({ ledger, speed, now, notify: callbacks.notify })

  const [innbucks, mastercard, pesepay] = [
    createInnbucks(config, now),
    createMastercard(config, now),
    createPesepay(config, now),
  ]
  const others = [innbucks, mastercard, pesepay, createSample(config, now)]
  /** Charges by Paynow are of the same wallet, on a statement of their own. */
  const movementsOfWallet = (isPaynow: boolean) => () => {
    const all = ledger.all()
    const throughPaynow = new Set(all.filter(isCharge).map(({ reference }) => reference))
    return walletMovements(
      all.filter(
        ({ reference, originalReference }) => throughPaynow.has(originalReference ?? reference) === isPaynow,
      ),
    )
  }

  const app = Fastify({
    // The standard output contains only the line with the simulator's address.
    logger: { level: 'error', stream: process.stderr },
    bodyLimit: 65_536,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  })
  answerProblems(app)
  rateLimit(app, speed, now)
  app.register(formBody)
  app.register(ecocashRoutes({ config, ledger, wallet, upcoming, subscribers }), {
    prefix: '/ecocash/payment/v1',
  })
  app.register(ecocashOpenRoutes({ config, ledger, wallet, upcoming }), { prefix: '/ecocash-open' })
  app.register(paynowRoutes({ config, ledger, wallet, upcoming }), { prefix: '/paynow' })
  app.register(controlRoutes({ ledger, wallet, upcoming, callbacks, subscribers }), { prefix: '/control' })
  app.register(
    statementRoutes({
      ecocash: movementsOfWallet(false),
      paynow: movementsOfWallet(true),
      innbucks: innbucks.movements,
      mastercard: mastercard.movements,
      pesepay: pesepay.movements,
    }),
    { prefix: '/control/statements' },
  )
  app.register(phoneRoutes({ ledger, wallet, speed, now }), { prefix: '/phone' })
  for (const other of others) other.mount(app)
  app.get('/', async (_request, reply) => reply.redirect('/phone', 302))
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.addHook('onClose', async () => {
    wallet.stop()
    callbacks.stop()
    for (const other of others) other.stop()
  })
  return {
    app,
    start() {
      wallet.resume()
      for (const other of others) other.start()
    },
  }
}
