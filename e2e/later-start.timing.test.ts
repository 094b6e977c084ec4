import { launch } from '@muripo/rig/gateway'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clear, temporaryDataDir } from './lib/processes.ts'

const laterStartMs = 5_000

let dataDir = ''
beforeEach(() => {
  dataDir = temporaryDataDir()
})
afterEach(async () => {
  expect(await clear(dataDir), 'processes that were left').toEqual([])
})

test('a later start is quick', async () => {
  const startAndStop = async () => {
    const gateway = await launch({ dataDir })
    const durationMs = await gateway.ready()
    expect(await gateway.interrupt()).toBe(0)
    return durationMs
  }
  await startAndStop()
  // The quickest of three, so that whatever else the machine does at the moment does not count.
  const durationsMs = [await startAndStop(), await startAndStop(), await startAndStop()]
  expect(Math.min(...durationsMs)).toBeLessThan(laterStartMs)
})
