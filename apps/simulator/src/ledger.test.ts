import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answer, begin, body, charge, query } from './testing.ts'

describe('the ledger of the simulator', () => {
  test('survives a restart, a torn last line, and events that became due meanwhile', async () => {
    const first = begin({ SIMULATOR_SPEED: '50' })
    await charge(first)
    await charge(first, body({ clientCorrelator: 'key2', endUserId: '263771111111' }))
    await answer(first, { pin: '0000' })
    const before = (await query(first)).json()
    await first.app.close()
    writeFileSync(join(first.folder, 'simulator/ecocash.jsonl'), '{"correlator":"to', { flag: 'a' })
    await new Promise((resolve) => setTimeout(resolve, 150))

    const second = begin({ SIMULATOR_SPEED: '50' }, first.folder)
    expect((await query(second)).json()).toEqual(before)
    const due = (await query(second, 'key2', '263771111111')).json()
    expect(due.transactionOperationStatus).toBe('COMPLETED')
    await charge(second, body({ clientCorrelator: 'key3' }))
    await second.app.close()
    const third = begin({}, first.folder)
    const { transactions } = (await third.app.inject('/control/transactions')).json()
    expect(transactions.map((item: { correlator: string }) => item.correlator)).toEqual([
      'key1',
      'key2',
      'key3',
    ])
  })

  test('keeps the newest entries only, in memory and in the file', async () => {
    const simulator = begin({ SIMULATOR_KEEP: '3' })
    for (let index = 0; index < 20; index += 1) {
      await charge(simulator, body({ clientCorrelator: `key${index}` }))
    }
    const { transactions } = (await simulator.app.inject('/control/transactions')).json()
    expect(transactions.map((item: { correlator: string }) => item.correlator)).toEqual([
      'key17',
      'key18',
      'key19',
    ])
    await simulator.app.close()
    const again = begin({ SIMULATOR_KEEP: '3' }, simulator.folder)
    expect((await query(again, 'key19')).json().clientCorrelator).toBe('key19')
  })
})
