import { configDefaults, defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Tests that compare times. Each runs alone, because other work of the machine changes the result. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['apps/server/{src,test}/**/*.timing.test.ts', 'e2e/*.timing.test.ts'],
    exclude: configDefaults.exclude,
    maxWorkers: 1,
  },
})
