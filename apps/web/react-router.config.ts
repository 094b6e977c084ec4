import type { Config } from '@react-router/dev/config'
import { writeCspHashes } from './app/lib/csp-hashes.ts'

export default {
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => writeCspHashes(`${reactRouterConfig.buildDirectory}/client`),
} satisfies Config
