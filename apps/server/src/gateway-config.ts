import { z } from 'zod'
import { allProviderSettings } from './modules/providers/index.ts'
import { platformSettings } from './platform/config.ts'
import { type Environment, readSettings } from './platform/settings.ts'

export type GatewayConfig = ReturnType<typeof parseGatewayConfig>

/** The settings of the platform and of all providers, whose errors are reported together. */
export const parseGatewayConfig = (env: Environment) =>
  readSettings(env, (deployment) =>
    z.intersection(platformSettings(deployment), allProviderSettings(deployment)),
  )
