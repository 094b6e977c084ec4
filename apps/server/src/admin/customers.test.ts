import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PaymentId } from '@muripo/contract/ids'
import { expect } from 'vitest'
import { test as base } from '../../test/fixtures.ts'
import { testMasterKey } from '../../test/master-key.ts'
import { makeTerminal } from '../../test/terminal.ts'
import { makePaid, makePayment } from '../modules/payments/factory.ts'
import { uuidOf } from '../platform/ids.ts'

const test = base.extend('scene', ({ world }, { onCleanup }) => {
  const { adminIn, dataDir, remove } = makeTerminal(world.ctx.databaseUrl)
  onCleanup(remove)
  // The id of a customer is computed with the master key.
  const admin = adminIn({ MURIPO_MASTER_KEY: testMasterKey.toString('base64') })
  const stored = async (id: PaymentId) =>
    (
      await world.ctx.db.pool.query(
        `select p.customer_id, p.customer_email, p.customer_name, p.customer_phone, p.amount_minor::int, p.status, a.msisdn
       from payments p join payment_attempts a on a.payment_id = p.id where p.id = $1`,
        [uuidOf(id)],
      )
    ).rows[0]
  return { admin, dataDir, stored }
})

test('a customer is exported whole and erased, and its payments keep their numbers', async ({
  world,
  shop: { owner, merchantId },
  scene: { admin, dataDir, stored },
}) => {
  const customer = { email: 'rudo@shop.example', name: 'Rudo', phone: '0771234567' }
  const paid = await makePaid(world.ctx, owner, world.provider, { amount: 12.5, currency: 'USD', customer })
  const file = join(dataDir, 'rudo.json')
  const written = await admin('customers', 'export', merchantId, 'RUDO@shop.example', file)
  expect(written).toMatchObject({ code: 0, output: expect.stringContaining('with one payment') })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    customer: { email: 'rudo@shop.example', name: 'Rudo', phone: '+263771234567' },
    payments: [
      {
        id: paid.id,
        amountMinor: '1250',
        customer: { ...customer, phone: '+263771234567' },
        paidFrom: [expect.stringMatching(/^263/)],
      },
    ],
  })
  expect(await admin('customers', 'export', merchantId, 'rudo@shop.example', file)).toMatchObject({
    code: 1,
    output: expect.stringContaining('exists already'),
  })

  const erase = () => admin('customers', 'erase', merchantId, 'rudo@shop.example', '--reason', 'Her request')
  expect(await erase()).toMatchObject({ code: 0, output: expect.stringContaining('is erased') })
  expect(await stored(paid.id)).toEqual({
    customer_id: null,
    customer_email: null,
    customer_name: null,
    customer_phone: null,
    amount_minor: 1250,
    status: 'completed',
    msisdn: null,
  })
  expect(await erase()).toMatchObject({ code: 1, output: expect.stringContaining('has no customer') })
  expect((await admin('audit', 'list', '--about', merchantId)).output).toContain('customer.erased')
  expect(await admin('ledger')).toMatchObject({ code: 0 })
})

test('a customer with an open payment stays until the payment ends', async ({
  world,
  shop: { owner, merchantId },
  scene: { admin },
}) => {
  await makePayment(world.ctx, owner, { customer: { email: 'tendai@shop.example' } })
  expect(
    await admin('customers', 'erase', merchantId, 'tendai@shop.example', '--reason', 'His request'),
  ).toMatchObject({ code: 1, output: expect.stringContaining('that are open') })
})
