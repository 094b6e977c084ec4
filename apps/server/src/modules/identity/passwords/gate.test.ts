import { describe, expect, test } from 'vitest'
import { createGate } from './gate.ts'

describe('the gate before costly work', () => {
  test('runs two at once, lets others wait in order, turns the rest away', async () => {
    const pass = createGate({ atOnce: 2, waiting: 3 })
    const started: number[] = []
    const finish: (() => void)[] = []
    const work = (n: number) => () =>
      new Promise<number>((resolve) => {
        started.push(n)
        finish.push(() => resolve(n))
      })
    const passed = [0, 1, 2, 3, 4].map((n) => pass(work(n)))
    await expect(pass(work(5))).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'retry-after': '1' },
    })
    expect(started).toEqual([0, 1])
    for (let n = 0; n < 5; n += 1) {
      finish[n]?.()
      await passed[n]
      await Promise.resolve()
      expect(started.length - (n + 1)).toBeLessThanOrEqual(2)
    }
    expect(await Promise.all(passed)).toEqual([0, 1, 2, 3, 4])
    expect(started).toEqual([0, 1, 2, 3, 4])
  })

  test('gives its place on when work fails', async () => {
    const pass = createGate({ atOnce: 1, waiting: 1 })
    const failed = pass(() => Promise.reject(new Error('no')))
    const next = pass(async () => 'in')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('in')
    expect(await pass(async () => 'in again')).toBe('in again')
  })
})
