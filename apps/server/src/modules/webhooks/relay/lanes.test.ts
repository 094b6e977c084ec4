import type { WebhookId } from '@muripo/contract/ids'
import { expect, test } from 'vitest'
import { Lanes } from './lanes.ts'

const endpoint = (name: string) => name as WebhookId

/** Lanes whose requests the test answers. */
function setUp() {
  const open: { item: string; end: (result: 'good' | 'bad') => Promise<void> }[] = []
  const lanes = new Lanes<string>((item) => {
    const { promise, resolve } = Promise.withResolvers<'good' | 'bad'>()
    open.push({
      item,
      end: async (result) => {
        open.splice(
          open.findIndex((each) => each.item === item),
          1,
        )
        resolve(result)
        await new Promise(setImmediate)
      },
    })
    return promise
  })
  const fill = (name: string, count: number) => {
    for (let index = 0; index < count; index += 1) lanes.push(endpoint(name), `${name} ${index}`)
    lanes.pump()
  }
  const sentTo = (name: string) => open.filter(({ item }) => item.startsWith(`${name} `)).length
  return { lanes, open, fill, sentTo }
}

test('a lane begins narrow, widens with each good answer up to a limit, and narrows with bad ones', async () => {
  const { open, fill, sentTo } = setUp()
  fill('a', 1000)
  expect(sentTo('a')).toBe(2)
  await open[0]?.end('good')
  expect(sentTo('a')).toBe(3)
  for (let count = 0; count < 100; count += 1) await open[0]?.end('good')
  expect(sentTo('a')).toBe(64)
  while (open.length > 1) await open[0]?.end('bad')
  expect(sentTo('a')).toBe(1)
})

test('[invariant] of one lane no more goes out than it is wide, whatever others do', async () => {
  const { fill, sentTo } = setUp()
  fill('hangs', 500)
  fill('well', 10)
  expect(sentTo('hangs')).toBe(2)
  expect(sentTo('well')).toBe(2)
})

test('endpoints in trouble share a quarter of what may go out, so that the rest is there for others', async () => {
  const { open, fill, sentTo } = setUp()
  for (let count = 0; count < 400; count += 1) fill(`bad${count}`, 5)
  for (let rounds = 0; rounds < 3; rounds += 1) {
    for (const each of open.filter(({ item }) => item.startsWith('bad'))) await each.end('bad')
  }
  expect(open.length).toBeLessThanOrEqual(256)
  for (let count = 0; count < 300; count += 1) fill(`good${count}`, 5)
  expect(open.filter(({ item }) => item.startsWith('good'))).toHaveLength(600)
  expect(sentTo('good299')).toBe(2)
})

test('when all sockets are taken, whoever waits goes as soon as one is free', async () => {
  const { open, fill } = setUp()
  for (let count = 0; count < 600; count += 1) fill(`a${count}`, 2)
  expect(open).toHaveLength(1024)
  await open[0]?.end('good')
  expect(open).toHaveLength(1024)
  expect(open.at(-1)?.item).toBe('a512 0')
})

test('more is taken only for a lane that can send it, and little for one in trouble', async () => {
  const { lanes, open, fill } = setUp()
  lanes.lane(endpoint('a')).hasMore = true
  expect([...lanes.room()]).toEqual([['a', 4]])
  fill('a', 6)
  expect(lanes.busy()).toEqual(['a'])
  expect([...lanes.room()]).toEqual([])
  await open[0]?.end('bad')
  await open[0]?.end('bad')
  expect(lanes.lane(endpoint('a'))).toMatchObject({ width: 1, troubled: true })
  expect(lanes.room().size).toBe(0)
})

test('what was not sent when it closes is handed out, and nothing more goes', async () => {
  const { lanes, open, fill } = setUp()
  fill('a', 5)
  expect(lanes.close()).toEqual(['a 2', 'a 3', 'a 4'])
  await open[0]?.end('good')
  expect(open).toHaveLength(1)
  expect(lanes.inFlight).toBe(1)
})
