import type { Config } from '@react-router/dev/config'
import { precompress } from './app/lib/precompress.ts'

export default {
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => precompress(`${reactRouterConfig.buildDirectory}/client`),
} satisfies Config
