import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { createLog, type Log } from '../log.ts'
import { createDiskSpace, freeBytes } from './disk-space.ts'

const GIB = 1024 ** 3

/** A disk whose free space the test sets, and the lines of its log. */
function disk(env: Record<string, string> = {}) {
  const lines: { level: string; what: string }[] = []
  const line = (level: string) => (figures: { what: string }) => lines.push({ level, what: figures.what })
  const log = { ...createLog('silent'), error: line('error'), warn: line('warn') } as unknown as Log
  const world = { free: 0 }
  const space = createDiskSpace(parseConfig(env), log, async () => world.free)
  return {
    space,
    lines,
    async read(free: number) {
      world.free = free
      await space.measure()
    },
  }
}

const low = expect.objectContaining({ code: 'storage_low', status: 503, headers: { 'retry-after': '60' } })

test('uploads stop below 2 GiB, payments below 1 GiB, and both continue when there is space again', async () => {
  const { space, read, lines } = disk()
  space.refuseUpload()
  space.refusePayment()
  await read(2 * GIB)
  space.refuseUpload()
  await read(2 * GIB - 1)
  expect(() => space.refuseUpload()).toThrow(low)
  space.refusePayment()
  await read(GIB - 1)
  await read(GIB - 2)
  expect(() => space.refusePayment()).toThrow(low)
  await read(3 * GIB)
  space.refuseUpload()
  space.refusePayment()
  // There is one line for each change, however often the disk is measured.
  expect(lines).toEqual([
    { level: 'error', what: 'uploads' },
    { level: 'error', what: 'payments' },
    { level: 'warn', what: 'uploads' },
    { level: 'warn', what: 'payments' },
  ])
})

test('MIN_FREE_DISK_MIB sets the limit, and 0 is none', async () => {
  const small = disk({ MIN_FREE_DISK_MIB: '100' })
  await small.read(100 * 1024 ** 2 - 1)
  expect(() => small.space.refusePayment()).toThrow(low)
  const none = disk({ MIN_FREE_DISK_MIB: '0' })
  await none.read(0)
  none.space.refusePayment()
  none.space.refuseUpload()
  expect(() => parseConfig({ MIN_FREE_DISK_MIB: '-1' })).toThrow('MIN_FREE_DISK_MIB')
})

test('without a limit the disk is not read', async () => {
  const space = createDiskSpace(parseConfig({ MIN_FREE_DISK_MIB: '0' }), createLog('silent'), async () => {
    throw new Error('EACCES')
  })
  await space.measure()
  space.refuseUpload()
})

test('with a database elsewhere payments do not depend on this disk, and uploads do', async () => {
  const { space, read } = disk({ DATABASE_URL: 'postgres://u:p@db.example/muripo' })
  await read(0)
  space.refusePayment()
  expect(() => space.refuseUpload()).toThrow(low)
})

test('a failed reading keeps the last one', async () => {
  const world = { fails: false }
  const space = createDiskSpace(parseConfig({}), createLog('silent'), async () => {
    if (world.fails) throw new Error('EIO')
    return 0
  })
  await space.measure()
  world.fails = true
  await expect(space.measure()).rejects.toThrow('EIO')
  expect(() => space.refusePayment()).toThrow(low)
})

test('the reading is that of the operating system', async () => {
  expect(await freeBytes(tmpdir())).toBeGreaterThan(0)
})
