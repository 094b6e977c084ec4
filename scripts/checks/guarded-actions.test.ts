import { expect, test } from 'vitest'
import { sources } from '../lib/sources.ts'

/** Actions that a proposal executes, with the module that contains them. */
const guarded = {
  changeMerchantStatus: 'applications',
  resolveAttempt: 'payments',
  resolveRefund: 'payments',
} as const

const kinds = 'apps/server/src/modules/operators/proposals/kinds.ts'

test('only the kinds of proposals call the actions that need two operators', () => {
  const shipped = sources('apps/server/src/**/*.ts').filter(
    ({ file }) => !/\.test\.ts$|\/factory\.ts$/.test(file),
  )
  for (const [action, module] of Object.entries(guarded)) {
    const callers = shipped
      .filter(({ file }) => !file.startsWith(`apps/server/src/modules/${module}/`))
      .filter(({ text }) => new RegExp(`\\b${action}\\b`).test(text))
    expect(callers.map(({ file }) => file)).toEqual([kinds])
  }
})
