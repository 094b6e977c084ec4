import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { calls } from './apps/web/calls.ts'
import { highlight } from './apps/web/highlight.ts'
import { texts } from './apps/web/texts.ts'
import { findChromium, ignoreDefaultArgs, testArgs } from './scripts/lib/chromium.ts'

const shots = process.env.MURIPO_SHOTS ?? ''

/** Tests of components, each in a page of a real browser. Tests that need no browser run with those of the server. */
export default defineConfig({
  // Bundled before the first page: a dependency that is found later reloads the page in the middle of a test.
  optimizeDeps: {
    include: ['react/jsx-dev-runtime', 'vitest-browser-react', 'react-router', '@tanstack/react-query'],
  },
  plugins: [highlight(), texts({ pseudo: 'nd' }), calls()],
  root: 'apps/web',
  define: { 'import.meta.env.MURIPO_SHOTS': JSON.stringify(shots) },
  server: { fs: { allow: ['../..', ...(shots && [shots])] } },
  test: {
    include: ['app/**/*.spec.tsx'],
    // As in vitest.config.ts.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    setupFiles: ['test/component-styles.ts'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 375, height: 720 },
      provider: playwright({
        launchOptions: {
          executablePath: await findChromium((line) => process.stderr.write(`${line}\n`)),
          args: testArgs,
          ignoreDefaultArgs,
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
