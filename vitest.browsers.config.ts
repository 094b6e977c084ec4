import { defineConfig } from 'vitest/config'

/** Journeys in Firefox and WebKit. A browser that is not installed fails its tests by name. */
export default defineConfig({
  test: { include: ['e2e/browsers/*.browsers.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
})
