import { expect, test } from 'vitest'
import { createFairSemaphore } from './fair-semaphore.ts'

/** Work that begins when it has a permit and ends when the test ends it. */
function workshop(limits: Parameters<typeof createFairSemaphore>[0]) {
  const run = createFairSemaphore(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    start: (subject: string, name = subject) =>
      run(
        subject,
        () =>
          new Promise<void>((resolve) => {
            begun.push(name)
            ends.push(resolve)
          }),
      ),
    async endOne() {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('a subject that made one request follows one request of each other, however many those have', async () => {
  const { begun, start, endOne } = workshop({ permits: 1, waiting: 50, perSubject: 20 })
  const all = Array.from({ length: 10 }, (_, n) => start('greedy', `greedy ${n}`))
  all.push(start('modest'), start('third'))
  for (let n = 0; n < 12; n += 1) await endOne()
  expect(begun.slice(0, 4)).toEqual(['greedy 0', 'greedy 1', 'modest', 'third'])
  expect(begun).toHaveLength(12)
  await Promise.all(all)
})

test('one subject has its share of permits and no more, and gets them again', async () => {
  const { start, endOne } = workshop({ permits: 2, waiting: 50, perSubject: 3 })
  const held = [start('greedy'), start('greedy'), start('greedy')]
  await expect(start('greedy')).rejects.toMatchObject({
    code: 'rate_limited',
    headers: { 'retry-after': '5' },
  })
  const other = start('modest')
  await endOne()
  held.push(start('greedy'))
  for (let n = 0; n < 5; n += 1) await endOne()
  await Promise.all([...held, other])
})

test('when all permits are in use everybody is refused', async () => {
  const { start, endOne } = workshop({ permits: 1, waiting: 1, perSubject: 5 })
  const held = [start('a'), start('b')]
  await expect(start('c')).rejects.toMatchObject({ code: 'service_unavailable' })
  await endOne()
  held.push(start('c'))
  await endOne()
  await endOne()
  await Promise.all(held)
})

test('work that fails passes its permit on', async () => {
  const run = createFairSemaphore({ permits: 1, waiting: 1, perSubject: 2 })
  const failed = run('a', () => Promise.reject(new Error('no')))
  const next = run('a', async () => 'in')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('in')
  expect(await run('a', async () => 'again')).toBe('again')
})
