import { PaymentId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { expect } from 'vitest'
import { byMerchant } from '../../test/audit-entries.ts'
import { test } from '../../test/fixtures.ts'
import { makeShop } from '../../test/world.ts'
import { testAccountIdOf } from '../modules/identity/index.ts'
import { postTransfers } from '../modules/ledger/index.ts'
import { comparePayments } from '../modules/payments/actions/compare-with-ledger.ts'
import { refundPayment } from '../modules/payments/actions/request-refund.ts'
import { makePaid } from '../modules/payments/factory.ts'
import { uuidOf } from '../platform/ids.ts'

test('an empty ledger is in balance', async ({ admin }) => {
  expect(await admin('ledger')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Nothing is booked.'),
  })
})

test('the accounts of every kind are listed by currency, for all merchants or for one', async ({
  world,
  admin,
  shop,
}) => {
  const payment = await makePaid(world.ctx, shop.owner, world.provider, { amount: 1250, currency: 'USD' })
  await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.merchantId, payment.id, {
    amount: 250,
    currency: 'USD',
  })
  const other = await makeShop(world.ctx)
  await makePaid(world.ctx, other.owner, world.provider, { amount: 100, currency: 'ZAR' })
  const { code, output } = await admin('ledger')
  expect(code).toBe(0)
  expect(output).toBe(`USD                  debits   credits   balance
clearing.scripted  1,250.00    250.00  1,000.00
fee.revenue            0.00     44.15    -44.15
merchant.payable     294.15  1,250.00   -955.85
refunds.payable      250.00    250.00      0.00
all                1,794.15  1,794.15      0.00

ZAR                debits  credits  balance
clearing.scripted  100.00     0.00   100.00
fee.revenue          0.00     3.90    -3.90
merchant.payable     3.90   100.00   -96.10
all                103.90   103.90     0.00

In balance: each account, payment, refund, reversal and adjustment agrees with its transfers. Only the statement of a provider proves that clearing.PROVIDER is the amount that the provider has.`)
  const one = await admin('ledger', '--merchant', other.merchantId)
  expect(one).toMatchObject({ code: 0, output: expect.not.stringContaining('USD') })
  expect(await admin('ledger', '--merchant', 'me')).toMatchObject({ code: 2 })
})

test('an imbalance ends with exit code 1, which names the balance or the payment', async ({
  world,
  admin,
  shop,
}) => {
  await makePaid(world.ctx, shop.owner, world.provider)
  const spoil = (by: number) =>
    world.ctx.db.pool.query(
      `update payments set refund_pending_minor = refund_pending_minor + $2 where account_id = $1`,
      [uuidOf(shop.merchantId), by],
    )
  await spoil(1)
  const { code, output } = await admin('ledger')
  expect(code).toBe(1)
  expect(output).toMatch(/NOT IN BALANCE\nThe ledger and pay_\w+ disagree\.$/)
  world.errors.length = 0
  await comparePayments(world.ctx)
  expect(world.errors).toEqual(['the ledger disagrees with payments; an operator has to look'])
  await spoil(-1)
  expect((await admin('ledger')).code).toBe(0)
  await world.ctx.db.pool.query(
    `insert into ledger_account_balances values ($1, 'fee.revenue', 'USD', 5, 0)
     on conflict (account_id, code, currency) do update set debit_minor = ledger_account_balances.debit_minor + 5`,
    [uuidOf(shop.merchantId)],
  )
  expect(await admin('ledger', '--merchant', shop.merchantId)).toMatchObject({
    code: 1,
    output: expect.stringContaining('Debits and credits in USD are not equal.'),
  })
  await world.ctx.db.pool.query('select rebuild_ledger_balances()')
  expect((await admin('ledger')).code).toBe(0)
})

test('amounts of test keys are never added to live amounts', async ({ world, admin, shop }) => {
  const tried = await world.ctx.db.tx((tx) => testAccountIdOf(world.ctx, tx, shop.merchantId))
  const before = (await admin('ledger')).output
  await world.ctx.db.tx((tx) =>
    postTransfers(
      world.ctx,
      tx,
      { accountId: tried, applicationId: null },
      {
        kind: 'duplicate_capture',
        debit: 'clearing.trial',
        credit: 'refunds.payable',
        amount: money(700n, 'USD'),
        paymentId: world.ctx.ids.next(PaymentId),
        causeId: uuidOf(tried),
      },
    ),
  )
  expect((await admin('ledger')).output).toBe(before)
  const ofTests = await admin('ledger', '--environment', 'test', '--merchant', shop.merchantId)
  expect(ofTests.output).toContain('clearing.trial')
  expect(ofTests.output).not.toContain('fee.revenue')
  expect(await admin('ledger', '--environment', 'other')).toMatchObject({ code: 2 })
})
