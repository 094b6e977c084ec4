import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/playwright',
  // A gateway for each worker; the journeys make merchants of their own.
  workers: 2,
  fullyParallel: false,
  projects: [
    { name: 'journeys', testIgnore: 'start-stop.spec.ts' },
    // They measure how quickly a start comes about, so nothing else runs beside them.
    { name: 'processes', testMatch: 'start-stop.spec.ts', dependencies: ['journeys'] },
  ],
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    locale: 'en-GB',
    timezoneId: 'Africa/Harare',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(process.env.MURIPO_CHROMIUM ? { executablePath: process.env.MURIPO_CHROMIUM } : {}),
      // Chromium's own sandbox refuses root, and shared memory is small in a container.
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-dev-shm-usage'],
    },
  },
})
