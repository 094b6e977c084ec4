import { expect, test } from 'vitest'
import { sources } from '../lib/sources.ts'

const kinds = 'apps/server/src/modules/operators/proposals/kinds'

/** Actions that a proposal executes, with their module and the file of the kinds that call them. */
const guarded = {
  changeMerchantStatus: ['applications', 'merchants.ts'],
  stopApplication: ['applications', 'applications.ts'],
  resumeApplication: ['applications', 'applications.ts'],
  revokeKey: ['applications', 'applications.ts'],
  reviewBanking: ['applications', 'applications.ts'],
  resolveAttempt: ['payments', 'payments.ts'],
  resolveReview: ['payments', 'payments.ts'],
  reportReversal: ['payments', 'payments.ts'],
  recordReturn: ['payments', 'payments.ts'],
  resolveRefund: ['payments', 'refund-batch.ts', 'refunds.ts'],
  refundPayment: ['payments', 'refunds.ts'],
  recordBounce: ['payments', 'refunds.ts'],
  closeLateRefund: ['payments', 'refunds.ts'],
  adjustByOperator: ['ledger', 'ledger.ts'],
  changeRoute: ['providers', 'providers.ts'],
  removeAuthenticator: ['identity', 'people.ts'],
  changeRole: ['operators/people', 'people.ts'],
} as const

test('only the kinds of proposals call the actions that need two operators', () => {
  const shipped = sources('apps/server/src/**/*.ts').filter(
    ({ file }) => !/\.test\.ts$|\/factory\.ts$/.test(file),
  )
  for (const [action, [module, ...files]] of Object.entries(guarded)) {
    const callers = shipped
      .filter(({ file }) => !file.startsWith(`apps/server/src/modules/${module}/`))
      .filter(({ text }) => new RegExp(`\\b${action}\\b`).test(text))
      .map(({ file }) => file)
    expect([action, ...callers]).toEqual([action, ...files.map((file) => `${kinds}/${file}`)])
  }
})
