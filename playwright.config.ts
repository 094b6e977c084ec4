import { defineConfig } from '@playwright/test'
import { chromiumArgs, ignoreDefaultArgs } from './scripts/lib/chromium.ts'

/**
 * They start programs or a gateway of their own, or take longest. They come first, because the last one would run alone, and together,
 * because a worker starts anew for tests with other fixtures.
 */
const programs = filesOf([
  ...['crash', 'live-gateway', 'processes', 'restore', 'roles', 'soak', 'start-stop', 'traces', 'upgrade'],
  ...['card-fields', 'checkout-pesepay', 'checkout-provider-down', 'checkout-routes'],
  ...['commands', 'checkout-line', 'webhooks'],
])

function filesOf(names: readonly string[]): RegExp {
  return new RegExp(`/(${names.join('|')})\\.spec\\.ts$`)
}

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/playwright',
  // Each has a gateway of its own, and its journeys make merchants of their own.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // What is waited for comes in moments; on a busy machine it may take longer without being wrong.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  projects: [
    { name: 'programs', testMatch: programs },
    { name: 'pages', testIgnore: programs },
  ],
  use: {
    locale: 'en-GB',
    timezoneId: 'Africa/Harare',
    viewport: { width: 1280, height: 800 },
    // The processor paints each frame of a movement. Files whose journeys are about movements have `no-preference`.
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // Recording every step takes processor time.
    trace: process.env.MURIPO_TRACE ? 'retain-on-failure' : 'off',
    launchOptions: {
      ...(process.env.MURIPO_CHROMIUM ? { executablePath: process.env.MURIPO_CHROMIUM } : {}),
      args: chromiumArgs,
      ignoreDefaultArgs,
    },
  },
})
