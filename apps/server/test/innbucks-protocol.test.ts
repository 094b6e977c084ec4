import { describe, expect } from 'vitest'
import type { Attempt } from '../src/modules/payments/index.ts'
import { configFor } from '../src/modules/providers/innbucks/fixtures.ts'
import { innbucksConnector } from '../src/modules/providers/innbucks/index.ts'
import { testPolled } from './polled-payments.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const test = testPolled(({ url }, clock) => innbucksConnector(configFor(`${url}/innbucks`), clock))
  .extend(
    'order',
    async ({ simulator }) =>
      (behaviour: object, code?: string) =>
        simulator.control('/control/innbucks/next', { behaviour, ...(code !== undefined && { code }) }),
  )
  .extend('request', async ({ order, polled }) => async (behaviour: object) => {
    await order(behaviour)
    return polled.start('innbucks', '')
  })

const codeOf = ({ nextAction }: Attempt): string => {
  if (nextAction?.type !== 'show_code') throw new Error('the attempt shows no code')
  return nextAction.code
}
const waits = { neverResolves: true }
const claimed = { neverResolves: false, ending: { state: 'Claimed' } }
const expired = { neverResolves: false, ending: { state: 'Expired' } }

test('a payer without a phone pays the code, and look-ups complete the payment once', async ({
  polled,
  order,
  request,
}) => {
  const attempt = await request(waits)
  expect(attempt).toMatchObject({ status: 'pending', msisdn: null, nextAction: { expiresAt: null } })
  await polled.later(4000)
  expect((await polled.attempt()).nextAction).toMatchObject({ expiresAt: expect.any(String) })
  await order(claimed, codeOf(attempt))
  await polled.later(10_000)
  expect(await polled.status()).toBe('completed')
  expect(await polled.traces()).toEqual({
    transfers: ['capture', 'fee'],
    events: ['1 payment.completed'],
  })
})

test('a code whose answer is lost fails at once, and another one is paid', async ({ polled, request }) => {
  expect(await request({ generateReply: 'drop' })).toMatchObject({ status: 'failed', nextAction: null })
  expect(await polled.status()).toBe('pending')
  const second = await request({ ending: { state: 'Paid' } })
  expect(second.status).toBe('pending')
  await polled.later(4000)
  expect(await polled.status()).toBe('completed')
})

describe('a code that expired', () => {
  test('lets the payer request another one', async ({ polled, request }) => {
    const first = await request(expired)
    await polled.later(4000)
    expect(await polled.attempt()).toMatchObject({ status: 'failed', failureReason: 'expired' })
    const second = await request(claimed)
    expect(codeOf(second)).not.toBe(codeOf(first))
    await polled.later(4000)
    expect(await polled.status()).toBe('completed')
  })

  test('and is claimed late completes the payment at the next look-up', async ({
    polled,
    order,
    request,
  }) => {
    const attempt = await request(expired)
    await polled.later(4000)
    expect((await polled.attempt()).status).toBe('failed')
    await order(claimed, codeOf(attempt))
    await polled.later(2 * HOUR)
    expect(await polled.status()).toBe('completed')
  })

  test('and is claimed after another one was paid is a duplicate', async ({ polled, order, request }) => {
    const first = await request(expired)
    await polled.later(4000)
    await request(claimed)
    await polled.later(4000)
    expect(await polled.status()).toBe('completed')
    await order(claimed, codeOf(first))
    await polled.later(2 * HOUR)
    expect((await polled.traces()).transfers).toContain('duplicate_capture')
  })
})

test('a code that InnBucks does not locate stays open', async ({ polled, request }) => {
  await request({ ...waits, inquiryReply: 'not_found' })
  for (const wait of [MINUTE, 20 * MINUTE, HOUR]) await polled.later(wait)
  expect(await polled.attempt()).toMatchObject({ status: 'pending' })
})

test('a refund awaits an operator, who sees how to pay it', async ({ admin, polled, request }) => {
  await request({ ending: { state: 'Claimed' } })
  await polled.later(4000)
  const refund = await polled.refund(5)
  expect(refund).toMatchObject({ isDone: false, payment: { status: 'completed' } })
  const { output } = await admin('refunds', 'list')
  expect(output).toContain('innbucks')
  expect(output).not.toMatch(/null|undefined/)
})
