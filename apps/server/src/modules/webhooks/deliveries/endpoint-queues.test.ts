import type { MerchantId, WebhookId } from '@muripo/contract/ids'
import { expect, test } from 'vitest'
import { type EndpointProfile, EndpointQueues, limits, type Result, type Sending } from './endpoint-queues.ts'

const endpoint = (name: string) => name as WebhookId
const profileOf = (name: string): EndpointProfile => ({
  merchantId: `merchant of ${name}` as MerchantId,
  host: `${name}.example`,
  isProven: true,
})

interface Open {
  readonly item: string
  end(result: Result): void
}

/** Queues whose requests the test answers. */
function setUp(bytesOf: (item: string) => number = () => 1) {
  const open: Open[] = []
  const queues = new EndpointQueues<string>(bytesOf)
  const start = (sendings: readonly Sending<string>[]) => {
    for (const sending of sendings) {
      const each: Open = {
        item: sending.item,
        end(result) {
          open.splice(open.indexOf(each), 1)
          start(queues.finish(sending, result))
        },
      }
      open.push(each)
    }
  }
  const fill = (name: string, count: number, profile: Partial<EndpointProfile> = {}) => {
    for (let index = 0; index < count; index += 1)
      queues.enqueue(endpoint(name), { ...profileOf(name), ...profile }, `${name} ${index}`)
    start(queues.dispatch())
  }
  const sentTo = (name: string) => open.filter(({ item }) => item.startsWith(`${name} `)).length
  return { queues, open, fill, sentTo }
}

test('the concurrency of an endpoint begins low, grows with each fast answer up to a limit, and shrinks with failures', () => {
  const { open, fill, sentTo } = setUp()
  fill('a', 1000)
  expect(sentTo('a')).toBe(2)
  open[0]?.end('fast')
  expect(sentTo('a')).toBe(3)
  for (let count = 0; count < 100; count += 1) open[0]?.end('fast')
  expect(sentTo('a')).toBe(64)
  while (open.length > 1) open[0]?.end('failed')
  expect(sentTo('a')).toBe(1)
})

test('an endpoint that answers slowly keeps two requests in flight, however often it returns 200', () => {
  const { open, fill, sentTo } = setUp()
  fill('slow', 1000)
  for (let count = 0; count < 200; count += 1) open[0]?.end('slow')
  expect(sentTo('slow')).toBe(2)
  for (let count = 0; count < 30; count += 1) open[0]?.end('fast')
  expect(sentTo('slow')).toBeGreaterThan(20)
  for (let count = 0; count < 30; count += 1) open[0]?.end('slow')
  expect(sentTo('slow')).toBe(2)
})

test('an endpoint gets one delivery at a time until it has answered its first 2xx', () => {
  const { open, fill, sentTo } = setUp()
  fill('new', 10, { isProven: false })
  expect(sentTo('new')).toBe(1)
  open[0]?.end('failed')
  expect(sentTo('new')).toBe(1)
  open[0]?.end('fast')
  expect(sentTo('new')).toBe(2)
})

test('[invariant] no more requests go to one endpoint than its concurrency, whatever others do', () => {
  const { fill, sentTo } = setUp()
  fill('hangs', 500)
  fill('well', 10)
  expect(sentTo('hangs')).toBe(2)
  expect(sentTo('well')).toBe(2)
})

test('[invariant] no more requests go to all endpoints of one merchant, or on one host, than their limit', () => {
  const { open, fill } = setUp()
  const merchantId = 'greedy' as MerchantId
  for (let count = 0; count < 200; count += 1) fill(`mine${count}`, 5, { merchantId })
  expect(open).toHaveLength(limits.merchant)
  for (let count = 0; count < 200; count += 1) fill(`there${count}`, 5, { host: 'victim.example' })
  expect(open).toHaveLength(limits.merchant + limits.host)
  open[0]?.end('fast')
  expect(open).toHaveLength(limits.merchant + limits.host)
})

test('when all sockets are in use, a merchant with none in flight still sends, and others continue with the next free one', () => {
  const { open, fill, sentTo } = setUp()
  for (let count = 0; count < 512; count += 1) fill(`a${count}`, 3)
  expect(open).toHaveLength(limits.all)
  fill('late', 2)
  expect(sentTo('late')).toBe(1)
  open[0]?.end('fast')
  open[0]?.end('fast')
  expect(open).toHaveLength(limits.all)
  for (let count = 0; count < 2 * limits.reserved; count += 1) fill(`b${count}`, 2)
  expect(open).toHaveLength(limits.all + limits.reserved)
})

test('failing endpoints share a quarter of the requests in flight, so that the remaining ones are free for others', () => {
  const { open, fill, sentTo } = setUp()
  for (let count = 0; count < 400; count += 1) fill(`bad${count}`, 5)
  for (let rounds = 0; rounds < 3; rounds += 1) {
    for (const each of open.filter(({ item }) => item.startsWith('bad'))) each.end('failed')
  }
  expect(open.length).toBeLessThanOrEqual(256)
  for (let count = 0; count < 300; count += 1) fill(`good${count}`, 5)
  expect(open.filter(({ item }) => item.startsWith('good'))).toHaveLength(600)
  expect(sentTo('good299')).toBe(2)
})

test('more is leased only for an endpoint that can send it, and little for one that fails', () => {
  const { queues, open, fill } = setUp()
  queues.setHasMore(endpoint('a'), true)
  expect([...queues.capacity()]).toEqual([['a', 2]])
  fill('a', 6)
  expect(queues.full()).toEqual(['a'])
  expect([...queues.capacity()]).toEqual([])
  open[0]?.end('failed')
  open[0]?.end('failed')
  expect(queues.capacity().size).toBe(0)
})

test('an endpoint without work is not walked, and is still failing at its next delivery', () => {
  const { queues, open, fill, sentTo } = setUp()
  for (let index = 0; index < 20_000; index += 1) {
    fill(`once ${index}`, 1)
    open[0]?.end('failed')
  }
  expect(queues.active).toBe(0)
  fill('once 19999', 2)
  expect(sentTo('once 19999')).toBe(1)
  queues.setHasMore(endpoint('more'), true)
  expect(queues.active).toBe(2)
  queues.setHasMore(endpoint('more'), false)
  open[0]?.end('fast')
  open[0]?.end('fast')
  expect(queues.active).toBe(0)
})

test('close returns the unsent deliveries, and nothing more is sent', () => {
  const { queues, open, fill } = setUp()
  fill('a', 5)
  expect(queues.close()).toEqual(['a 2', 'a 3', 'a 4'])
  open[0]?.end('fast')
  expect(open).toHaveLength(1)
  expect(queues.inFlight).toBe(1)
})

test('leased deliveries of many megabytes leave room for one of each other endpoint, and those of twice as many for none', () => {
  const { queues, open, fill } = setUp(() => 1024 * 1024)
  const markMore = (name: string) => queues.setHasMore(endpoint(name), true)
  fill('slow', 15)
  markMore('slow')
  markMore('other')
  expect(queues.capacity().get(endpoint('other'))).toBe(2)
  fill('slow', 1)
  expect(queues.full()).toEqual([endpoint('slow')])
  expect(queues.capacity()).toEqual(new Map([[endpoint('other'), 1]]))
  for (let count = 0; count < 16; count += 1) fill(`other ${count}`, 1)
  expect(queues.isFull).toBe(true)
  expect(queues.capacity()).toEqual(new Map())
  open.at(-1)?.end('fast')
  expect(queues.isFull).toBe(false)
  expect(queues.capacity()).toEqual(new Map([[endpoint('other'), 1]]))
})

test('one statement leases a bounded number of deliveries', () => {
  const { queues } = setUp()
  for (let count = 0; count < 2000; count += 1) queues.setHasMore(endpoint(`e${count}`), true)
  const total = queues
    .capacity()
    .values()
    .reduce((sum, room) => sum + room, 0)
  expect(total).toBe(1000)
})
