import { z } from 'zod'
import {
  callLimitSettings,
  ecocashOpenSettings,
  ecocashSettings,
  innbucksSettings,
  limitSettings,
  mastercardSettings,
  paynowSettings,
  pesepaySettings,
  routeSettings,
} from './modules/providers/index.ts'
import { platformSettings } from './platform/config.ts'
import { type Environment, readSettings } from './platform/settings.ts'

export type GatewayConfig = ReturnType<typeof parseGatewayConfig>

/** The settings of the platform and of each provider, whose errors are reported together. */
export const parseGatewayConfig = (env: Environment) =>
  readSettings(env, (deployment) =>
    z.intersection(
      z.intersection(
        z.intersection(platformSettings(deployment), ecocashSettings(deployment)),
        z.intersection(ecocashOpenSettings(deployment), innbucksSettings(deployment)),
      ),
      z.intersection(
        mastercardSettings(deployment),
        z.intersection(
          z.intersection(paynowSettings(deployment), pesepaySettings(deployment)),
          z.intersection(z.intersection(routeSettings, limitSettings), callLimitSettings),
        ),
      ),
    ),
  )
