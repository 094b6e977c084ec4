import type { Config } from '@react-router/dev/config'
import { writeCspHashes } from './app/lib/csp-hashes.ts'
import { precompress } from './app/lib/precompress.ts'

export default {
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig }) => {
    const client = `${reactRouterConfig.buildDirectory}/client`
    await writeCspHashes(client)
    await precompress(client)
  },
} satisfies Config
