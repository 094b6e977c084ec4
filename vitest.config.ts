import { configDefaults, defineConfig } from 'vitest/config'
import { calls } from './apps/web/calls.ts'
import { texts } from './apps/web/texts.ts'

export default defineConfig({
  plugins: [texts(), calls()],
  test: {
    include: [
      'apps/*/{src,app,test}/**/*.test.{ts,tsx}',
      'packages/*/src/**/*.test.ts',
      '{scripts,bench,drills}/**/*.test.ts',
    ],
    // These compare times and run by themselves: vitest.timing.config.ts.
    exclude: [...configDefaults.exclude, '**/*.timing.test.ts'],
    globalSetup: ['apps/server/test/global-setup.ts'],
    setupFiles: ['apps/server/test/quiet-console.ts', 'apps/server/test/drop-databases.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // The files of a worker share their imported modules: importing them again costs more than half of the time.
    isolate: false,
    // These end tests that hang. No correct test needs a tenth of them, except on a machine that is busy with other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    expect: { poll: { timeout: 120_000, interval: 10 } },
  },
})
