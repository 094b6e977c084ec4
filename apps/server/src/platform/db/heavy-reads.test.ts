import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { createPermits } from './heavy-reads.ts'

/** Work that ends when the test ends it. */
function scripted(limits = { atOnce: 2, waiting: 3, waitMs: 10_000 }) {
  const permits = createPermits(limits)
  const running: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const run = (holder: string, name: string) =>
    permits(holder, () => {
      running.push(name)
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return end.promise.finally(() => running.splice(running.indexOf(name), 1))
    })
  const end = (name: string) => ends.get(name)?.resolve(`${name} done`)
  const fail = (name: string) => ends.get(name)?.reject(new Error(`${name} failed`))
  return { run, end, fail, running }
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

test('two of a holder run at once, the next waits for its turn, and another holder waits for neither', async () => {
  const { run, end, running } = scripted()
  const all = ['a', 'b', 'c', 'd'].map((name) => run('one', name))
  all.push(run('other', 'x'))
  await pause(0)
  expect(running).toEqual(['a', 'b', 'x'])
  end('b')
  await expect.poll(() => running).toEqual(['a', 'x', 'c'])
  end('a')
  await expect.poll(() => running).toEqual(['x', 'c', 'd'])
  for (const name of ['c', 'd', 'x']) end(name)
  expect(await Promise.all(all)).toEqual(['a done', 'b done', 'c done', 'd done', 'x done'])
})

test('work that fails passes its permit on', async () => {
  const { run, end, fail, running } = scripted({ atOnce: 1, waiting: 1, waitMs: 10_000 })
  const failed = refusalOf(run('one', 'a'))
  const next = run('one', 'b')
  await pause(0)
  fail('a')
  expect(await failed).toEqual(new Error('a failed'))
  await expect.poll(() => running).toEqual(['b'])
  end('b')
  expect(await next).toBe('b done')
})

test('work beyond the queue is refused at once with the time to wait, and never runs', async () => {
  const { run, end, running } = scripted({ atOnce: 1, waiting: 1, waitMs: 4500 })
  const held = [run('one', 'a'), run('one', 'b')]
  const refusal = await refusalOf(run('one', 'c'))
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '5' } })
  end('a')
  await expect.poll(() => running).toEqual(['b'])
  end('b')
  await Promise.all(held)
  expect(running).toEqual([])
})

test('work that waits too long is refused, and its permit is free for other work', async () => {
  const { run, end, running } = scripted({ atOnce: 1, waiting: 1, waitMs: 30 })
  const first = run('one', 'a')
  expect(await refusalOf(run('one', 'b'))).toMatchObject({ code: 'rate_limited' })
  const third = run('one', 'c')
  end('a')
  await first
  await expect.poll(() => running).toEqual(['c'])
  end('c')
  expect(await third).toBe('c done')
})
