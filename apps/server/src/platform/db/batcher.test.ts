import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { alignRows, createBatcher } from './batcher.ts'
import { QueueFull } from './failures.ts'
import { createQueues } from './queues.ts'

/** A writer whose batches return when the test ends them. */
function scripted(
  maxCalls: number,
  maxRunning: number,
  minWaitingForAnother?: number,
  mostWaiting = 100,
  maxCallsUnderLoad?: number,
) {
  const batches: { calls: readonly string[]; land: () => void }[] = []
  const run = createBatcher<string, string>({
    name: 'scripted',
    maxCalls,
    maxRunning,
    mostWaiting,
    ...(minWaitingForAnother !== undefined && { minWaitingForAnother }),
    ...(maxCallsUnderLoad !== undefined && { maxCallsUnderLoad }),
    write(calls) {
      const landed = new Promise<void>((land) => batches.push({ calls, land }))
      return calls.map(async (call) => {
        await landed
        if (call.startsWith('bad')) throw new Error(call)
        return `${call} written`
      })
    },
  })
  return { run, batches, calls: () => batches.map(({ calls }) => calls.join(' ')) }
}

test('a single call is written in its own turn', async () => {
  const { run, batches, calls } = scripted(10, 1)
  const written = run('a')
  await turn()
  expect(calls()).toEqual(['a'])
  batches[0]?.land()
  expect(await written).toBe('a written')
})

test('calls during a batch are written together, in order, when it returns', async () => {
  const { run, batches, calls } = scripted(10, 1)
  const all = [run('a')]
  await turn()
  all.push(run('b'))
  await turn()
  all.push(run('c'))
  await turn()
  expect(calls()).toEqual(['a'])
  batches[0]?.land()
  await expect.poll(calls).toEqual(['a', 'b c'])
  batches[1]?.land()
  expect(await Promise.all(all)).toEqual(['a written', 'b written', 'c written'])
})

test('calls beyond the size of a queue are rejected, and admitted again when the earlier ones are written', async () => {
  const batches: (() => void)[] = []
  const run = createBatcher<string, string>({
    name: 'sized',
    maxCalls: 1,
    maxRunning: 1,
    mostWaiting: 100,
    size: { mostBytes: 10, bytesOf: (call) => call.length },
    write: (calls) => calls.map((call) => new Promise((resolve) => batches.push(() => resolve(call)))),
  })
  const admitted = [run('four'), run('sixsix')]
  await expect(run('x')).rejects.toBeInstanceOf(QueueFull)
  await turn()
  batches[0]?.()
  expect(await admitted[0]).toBe('four')
  await turn()
  admitted.push(run('more'))
  await expect(run('x')).rejects.toBeInstanceOf(QueueFull)
  for (const index of [1, 2]) {
    await expect.poll(() => batches.length).toBeGreaterThan(index)
    batches[index]?.()
  }
  expect(await Promise.all(admitted)).toEqual(['four', 'sixsix', 'more'])
})

test('no batch is larger, and no more are in progress, than allowed', async () => {
  const { run, batches, calls } = scripted(2, 2)
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(run))
  await turn()
  await turn()
  expect(calls()).toEqual(['a b', 'c d'])
  batches[1]?.land()
  await expect.poll(calls).toEqual(['a b', 'c d', 'e'])
  batches[0]?.land()
  batches[2]?.land()
  expect(await all).toHaveLength(5)
})

test('a batch takes half of a long queue, up to its own limit', async () => {
  const { run, batches, calls } = scripted(2, 1, 1, 100, 4)
  const all = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].map(run))
  for (let nth = 0; nth < 4; nth += 1) {
    await expect.poll(() => batches.length).toBe(nth + 1)
    batches[nth]?.land()
  }
  expect(calls()).toEqual(['a b c d', 'e f g h', 'i j', 'k l'])
  expect(await all).toHaveLength(12)
})

test('a further batch waits for enough calls, and at most for the return of the batch in progress', async () => {
  const { run, batches, calls } = scripted(4, 2, 3)
  const all = [run('a')]
  await turn()
  all.push(run('b'), run('c'))
  await turn()
  await turn()
  expect(calls()).toEqual(['a'])
  all.push(run('d'))
  await turn()
  expect(calls()).toEqual(['a', 'b c d'])
  all.push(run('e'))
  await turn()
  batches[1]?.land()
  await turn()
  expect(calls()).toEqual(['a', 'b c d'])
  batches[0]?.land()
  await expect.poll(calls).toEqual(['a', 'b c d', 'e'])
  batches[2]?.land()
  expect(await Promise.all(all)).toHaveLength(5)
})

test('a call that fails fails alone, and later ones are still written', async () => {
  const { run, batches, calls } = scripted(10, 1)
  const first = Promise.allSettled([run('a'), run('bad'), run('c')])
  await turn()
  batches[0]?.land()
  expect((await first).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const next = run('d')
  await expect.poll(calls).toEqual(['a bad c', 'd'])
  batches[1]?.land()
  expect(await next).toBe('d written')
})

test('a call is answered although another of its batch still waits', async () => {
  let release = (_value: string) => {}
  const held = new Promise<string>((resolve) => {
    release = resolve
  })
  const run = createBatcher<string, string>({
    name: 'scripted',
    maxCalls: 2,
    maxRunning: 1,
    mostWaiting: 10,
    write: (calls) => calls.map((call) => (call === 'slow' ? held : Promise.resolve(call))),
  })
  const slow = run('slow')
  expect(await run('quick')).toBe('quick')
  release('done')
  expect(await slow).toBe('done')
})

test('a call beyond the queue is refused and never written, and earlier ones are still written', async () => {
  const { run, batches, calls } = scripted(2, 1, 1, 3)
  const first = run('a')
  await turn()
  const waiting = ['b', 'c', 'd'].map(run)
  await expect(run('e')).rejects.toThrow(QueueFull)
  for (let landed = 0; landed < 3; landed += 1) {
    await expect.poll(() => batches.length).toBe(landed + 1)
    batches[landed]?.land()
  }
  await Promise.all([first, ...waiting])
  expect(calls()).toEqual(['a', 'b c', 'd'])
})

test('a call that has waited for five seconds is refused and never written', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const { run, batches, calls } = scripted(1, 1)
    const hanging = run('a')
    await turn()
    const overdue = run('b').catch((error: unknown) => error)
    vi.advanceTimersByTime(3000)
    const later = run('c')
    vi.advanceTimersByTime(2001)
    expect(await overdue).toBeInstanceOf(QueueFull)
    batches[0]?.land()
    expect(await hanging).toBe('a written')
    await turn()
    await turn()
    batches[1]?.land()
    expect(await later).toBe('c written')
    expect(calls()).toEqual(['a', 'c'])
  } finally {
    vi.useRealTimers()
  }
})

test('the expected wait follows from the duration of the last full batch and the number of waiting calls', async () => {
  const queues = createQueues()
  const run = createBatcher<number, number>({
    name: 'scripted',
    maxCalls: 10,
    maxRunning: 1,
    mostWaiting: 1000,
    queues,
    write(calls) {
      const written = new Promise((resolve) => setTimeout(resolve, 50))
      return calls.map((call) => written.then(() => call))
    },
  })
  expect(queues.waitMs()).toBe(0)
  await Promise.all(Array.from({ length: 10 }, (_, nth) => run(nth)))
  expect(queues.waitMs()).toBe(0)
  const more = Array.from({ length: 100 }, (_, nth) => run(nth))
  expect(queues.waitMs()).toBeGreaterThan(400)
  await Promise.all(more)
  expect(queues.waitMs()).toBe(0)
})

test('a request for the id of another merchant’s row at the same moment as that merchant gets nothing', () => {
  const row = { account_id: 'a', id: '1', secret: true }
  const rowKeys = [
    { account_id: 'b', id: '1' },
    { account_id: 'a', id: '1' },
    { account_id: 'a', id: '2' },
    { account_id: 'a', id: '1' },
  ]
  expect(alignRows(rowKeys, [row])).toEqual([undefined, row, undefined, row])
})
