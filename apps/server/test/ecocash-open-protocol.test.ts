import { RefundId } from '@muripo/contract/ids'
import { describe, expect } from 'vitest'
import { configFor } from '../src/modules/providers/ecocash-open/fixtures.ts'
import { ecocashOpenConnector } from '../src/modules/providers/ecocash-open/index.ts'
import { idFrom } from '../src/platform/ids.ts'
import { testPolled } from './polled-payments.ts'

const HOUR = 3_600_000
const paidAtOnce = { decision: { verdict: 'success', afterMs: 0 } }

const test = testPolled(({ url }) => ecocashOpenConnector(configFor(`${url}/ecocash-open`))).extend(
  'start',
  async ({ simulator, polled }) =>
    async (behaviour: object) => {
      await simulator.order(behaviour)
      return polled.start('ecocash', '0771000001')
    },
)

test('look-ups complete a payment whose reply was empty, and a completed refund refunds it', async ({
  polled,
  start,
}) => {
  expect(await start(paidAtOnce)).toMatchObject({ status: 'pending', msisdn: '263771000001' })
  await polled.later(4000)
  expect(await polled.status()).toBe('completed')
  expect(await polled.refund(12.5)).toMatchObject({ isDone: true, payment: { status: 'refunded' } })
  expect(await polled.traces()).toEqual({
    transfers: ['capture', 'fee', 'refund_reserve', 'refund_paid'],
    events: ['1 payment.completed', '2 payment.refunded'],
  })
})

test('a payment whose reply is lost is found by its reference', async ({ polled, start }) => {
  await start({ ...paidAtOnce, chargeReply: 'drop' })
  expect(await polled.status()).toBe('pending')
  await polled.later(4000)
  expect(await polled.status()).toBe('completed')
})

describe('a refund', () => {
  test.for([
    ['that EcoCash accepts with an empty reply', { refund: 'pending' }],
    ['that EcoCash reports as failed', { refund: 'declined' }],
    ['whose reply is lost', { refundReply: 'drop' }],
    ['whose request is lost', { refundReply: 'drop_before' }],
  ] as const)(
    '%s stays open, is sent once, and reaches an operator after a day',
    async ([_name, behaviour], { admin, simulator, polled, start }) => {
      const refundsSent = async () =>
        (await simulator.transactions()).filter(({ kind }) => kind === 'refund').length
      await start({ ...paidAtOnce, ...behaviour })
      await polled.later(4000)
      const before = await refundsSent()
      expect(await polled.refund(12.5)).toMatchObject({ isDone: false, payment: { status: 'completed' } })
      const sent = await refundsSent()
      for (let hours = 0; hours < 26; hours += 2) await polled.later(2 * HOUR)
      expect(await polled.status()).toBe('completed')
      expect((await polled.traces()).transfers).toEqual(['capture', 'fee', 'refund_reserve'])
      expect([sent - before, (await refundsSent()) - sent]).toEqual([
        'refundReply' in behaviour && behaviour.refundReply === 'drop_before' ? 0 : 1,
        0,
      ])
      const ids = await polled.refundIds()
      expect(ids).toHaveLength(1)
      const { output } = await admin('refunds', 'list')
      expect(output).toContain('ecocash-open')
      expect(output).toContain(idFrom(RefundId, ids[0] ?? ''))
    },
  )
})
