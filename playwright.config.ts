import { defineConfig } from '@playwright/test'
import { ignoreDefaultArgs, testArgs } from './scripts/lib/chromium.ts'

/**
 * Files that start programs or a gateway of their own, or take longest. They run first, because the last file of a run occupies one
 * processor alone. They are one group, because Playwright starts another worker for tests with other fixtures.
 */
const programs = filesOf([
  ...['crash', 'live-gateway', 'processes', 'restore', 'roles', 'soak', 'start-stop', 'traces', 'upgrade'],
  ...['card-fields', 'checkout-pesepay', 'checkout-provider-down', 'checkout-routes'],
  ...['commands', 'checkout-slow-network', 'webhooks'],
])

function filesOf(names: readonly string[]): RegExp {
  return new RegExp(`/(${names.join('|')})\\.spec\\.ts$`)
}

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/playwright',
  // Each worker has its own gateway, and each test its own merchants.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // A busy machine may take longer without an error.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  reporter: [['list']],
  projects: [
    { name: 'programs', testMatch: programs },
    { name: 'pages', testMatch: /\.spec\.ts$/, testIgnore: programs },
  ],
  use: {
    locale: 'en-GB',
    timezoneId: 'Africa/Harare',
    viewport: { width: 1280, height: 800 },
    // A step that never ends fails with its own name, and not with that of the test.
    actionTimeout: 120_000,
    // The processor paints each frame of a movement. Tests of movements use `no-preference`.
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // Recording every step takes processor time.
    trace: process.env.MURIPO_TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      ...(process.env.MURIPO_CHROMIUM ? { executablePath: process.env.MURIPO_CHROMIUM } : {}),
      args: testArgs,
      ignoreDefaultArgs,
    },
  },
})
