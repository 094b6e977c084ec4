import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createReceivedFiles } from './received-files.ts'

describe('a received file', () => {
  let parent: string
  let directory: string
  let incoming: ReturnType<typeof createReceivedFiles>

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'muripo-incoming-'))
    directory = join(parent, 'incoming')
    incoming = createReceivedFiles(directory, systemClock)
  })
  afterEach(() => rm(parent, { recursive: true }))

  async function* chunks(...sizes: number[]): AsyncGenerator<Buffer> {
    for (const size of sizes) yield Buffer.alloc(size, size)
  }

  test('is stored with its size and digest until it is discarded', async () => {
    const whole = Buffer.concat([Buffer.alloc(70_000, 70_000), Buffer.alloc(3, 3)])
    const received = await incoming.receive(chunks(70_000, 3), 1_000_000)
    expect(received).toMatchObject({ sizeBytes: 70_003, sha256: createHash('sha256').update(whole).digest() })
    expect(await readFile(received.path)).toEqual(whole)
    await received.discard()
    await received.discard()
    expect(await readdir(directory)).toEqual([])
  })

  test('is readable for its own user alone', async () => {
    const { path } = await incoming.receive(chunks(1), 10)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('may be one byte less than the limit, and not the limit itself', async () => {
    const { path } = await incoming.receive(chunks(5, 4), 10)
    await expect(incoming.receive(chunks(5, 5), 10)).rejects.toMatchObject({ code: 'file_too_large' })
    expect(await readdir(directory)).toEqual([path.slice(directory.length + 1)])
  })

  test('is read no further than the limit', async () => {
    let produced = 0
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        produced += 1
        yield Buffer.alloc(4)
      }
    }
    await expect(incoming.receive(endless(), 10)).rejects.toMatchObject({ code: 'file_too_large' })
    expect(produced).toBe(3)
  })

  test('leaves nothing when it fails half-way', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(4)
      throw new Error('gone')
    }
    await expect(incoming.receive(failing(), 10)).rejects.toThrow('gone')
    expect(await readdir(directory)).toEqual([])
  })

  test('is deleted when a killed process left it, and not while another one receives it', async () => {
    await incoming.deleteAbandoned()
    await incoming.receive(chunks(1), 10)
    await writeFile(join(directory, 'left'), 'left')
    const old = systemClock.now().getTime() / 1000 - 2 * 60 * 60
    await utimes(join(directory, 'left'), old, old)
    await incoming.deleteAbandoned()
    expect(await readdir(directory)).toHaveLength(1)
    expect(await readdir(directory)).not.toContain('left')
  })
})
