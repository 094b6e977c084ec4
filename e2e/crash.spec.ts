import { expect, test } from '@playwright/test'
import { crash } from '../scripts/lib/crash/run.ts'

// The long form is `npm run crash`. With this seed the gateway, its database and both together are killed once each.
test('what was answered before a kill is there after it, once: payments, refunds, ledger, wallet, webhooks', async () => {
  const report = await crash({ kills: 3, seed: 9, only: null, customers: 3, say: () => undefined })
  expect(report.findings).toEqual([])
  expect(report.kills).toEqual({ gateway: 1, postgres: 1, both: 1 })
  for (const count of [report.orders, report.paid, report.deliveries]) expect(count).toBeGreaterThan(0)
})
