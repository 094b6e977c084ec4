import { configDefaults, defineConfig } from 'vitest/config'
import { texts } from './apps/web/texts.ts'

export default defineConfig({
  plugins: [texts()],
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
    // What is awaited comes in milliseconds; on a busy machine it may take longer without being wrong.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    restoreMocks: true,
    expect: { poll: { timeout: 30_000, interval: 10 } },
  },
})
