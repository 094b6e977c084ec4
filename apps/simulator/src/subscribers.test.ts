import { expect, test } from 'vitest'
import { begin, body, charge, post, query } from './testing.ts'

const number = (nth: number) => `2637710000${String(nth).padStart(2, '0')}`

/** The decisions of ten charges, in their order. */
async function decisions(subscribers: object, seed: number) {
  const simulator = begin({ SIMULATOR_SPEED: '1000' })
  const behaviour = { seed, leastMs: 100, mostMs: 200, refused: 0.5, lost: 1, ...subscribers }
  expect((await post(simulator, '/control/subscribers', behaviour)).statusCode).toBe(204)
  const numbers = Array.from({ length: 10 }, (_, nth) => number(nth))
  for (const [nth, endUserId] of numbers.entries())
    await charge(simulator, body({ clientCorrelator: `key${nth}`, endUserId }))
  const report = async () => (await simulator.app.inject('/control/subscribers')).json()
  return { simulator, numbers, report }
}

test('subscribers decide from a seed, and each decision is reported once it was read', async () => {
  const readAll = async (seed: number): Promise<boolean[]> => {
    const { simulator, numbers, report } = await decisions({}, seed)
    expect(await report()).toEqual({ lookups: 0, waiting: 10, ended: [] })
    const isPaid: boolean[] = []
    for (const [nth, endUserId] of numbers.entries()) {
      const status = async () =>
        (await query(simulator, `key${nth}`, endUserId)).json().transactionOperationStatus
      await expect.poll(status).toMatch(/COMPLETED|FAILED/)
      isPaid.push((await status()) === 'COMPLETED')
    }
    const { waiting, ended } = await report()
    expect(waiting).toBe(0)
    expect(ended).toMatchObject(numbers.map((each, nth) => ({ number: each, isPaid: isPaid[nth] })))
    expect((await report()).ended).toEqual([])
    return isPaid
  }
  const first = await readAll(1)
  expect(new Set(first)).toEqual(new Set([true, false]))
  expect(await readAll(1)).toEqual(first)
})

test('a decision at once is in the answer, and nobody waits for it', async () => {
  const { simulator, report } = await decisions({ leastMs: 0, mostMs: 0, refused: 0 }, 1)
  const endUserId = '263771000099'
  const answer = await charge(simulator, body({ clientCorrelator: 'now', endUserId }))
  expect(answer.json()).toMatchObject({ transactionOperationStatus: 'COMPLETED' })
  await query(simulator, 'now', endUserId)
  expect(await report()).toEqual({ lookups: 0, waiting: 0, ended: [] })
})
