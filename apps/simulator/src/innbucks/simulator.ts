import type { FastifyInstance } from 'fastify'
import type { SimulatorConfig } from '../config.ts'
import { codeMovements } from '../movements.ts'
import { createUpcoming } from '../upcoming.ts'
import { createAccess } from './accounts.ts'
import type { CodeBehaviour } from './behaviour.ts'
import { createCodes } from './codes.ts'
import { codeControlRoutes } from './control.ts'
import { codePageRoutes } from './page-routes.ts'
import { innbucksRoutes } from './routes.ts'

/** InnBucks's side of its Merchant API, and the app of the payers. */
export function createInnbucks(config: SimulatorConfig, now: () => number) {
  const { keep, speed, dataFolder: folder } = config
  const access = createAccess(speed, now)
  const upcoming = createUpcoming<CodeBehaviour>()
  const codes = createCodes({ folder, keep, speed, now })
  return {
    mount(app: FastifyInstance): void {
      app.register(innbucksRoutes({ access, codes, upcoming, now }), { prefix: '/innbucks' })
      app.register(codePageRoutes({ codes }), { prefix: '/innbucks/app' })
      app.register(codeControlRoutes({ access, codes, upcoming }), { prefix: '/control/innbucks' })
    },
    movements: () => codeMovements(codes.all()),
    start: codes.resume,
    stop: codes.stop,
  }
}
