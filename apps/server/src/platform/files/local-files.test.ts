import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import type { Files } from './files.ts'
import { localFiles } from './local-files.ts'

describe('local files', () => {
  let parent: string
  let directory: string
  let files: Files

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'muripo-files-'))
    directory = join(parent, 'files')
    files = localFiles(directory, systemClock)
  })
  afterEach(() => rm(parent, { recursive: true }))

  async function* chunks(...sizes: number[]): AsyncGenerator<Buffer> {
    for (const size of sizes) yield Buffer.alloc(size, size)
  }

  test('keeps what arrives, with its size and digest', async () => {
    const whole = Buffer.concat([Buffer.alloc(70_000, 70_000), Buffer.alloc(3, 3)])
    const kept = await files.keep('fil_1', chunks(70_000, 3), 1_000_000)
    expect(kept).toEqual({ sizeBytes: 70_003, sha256: createHash('sha256').update(whole).digest() })
    expect(await readFile(join(directory, 'fil_1'))).toEqual(whole)
  })

  test('lets nobody but its own user read', async () => {
    await files.keep('fil_1', chunks(1), 10)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(join(directory, 'fil_1'))).mode & 0o777).toBe(0o600)
  })

  test('takes one byte less than the limit, and not the limit itself', async () => {
    await files.keep('fil_1', chunks(5, 4), 10)
    await expect(files.keep('fil_2', chunks(5, 5), 10)).rejects.toMatchObject({ code: 'file_too_large' })
    expect(await readdir(directory)).toEqual(['fil_1'])
  })

  test('stops reading at the limit', async () => {
    let produced = 0
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        produced += 1
        yield Buffer.alloc(4)
      }
    }
    await expect(files.keep('fil_1', endless(), 10)).rejects.toMatchObject({ code: 'file_too_large' })
    expect(produced).toBe(3)
  })

  test('keeps nothing of a source that fails half-way', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(4)
      throw new Error('gone')
    }
    await expect(files.keep('fil_1', failing(), 10)).rejects.toThrow('gone')
    expect(await readdir(directory)).toEqual([])
  })

  test('refuses a name that could lead out of its directory', async () => {
    for (const name of ['../x', 'a/b', '.x', '', 'A', 'x'.repeat(65)]) {
      await expect(files.keep(name, chunks(1), 10)).rejects.toThrow('not a name')
    }
  })

  test('forgets a file, and one that is not there', async () => {
    await files.keep('fil_1', chunks(1), 10)
    await files.discard('fil_1')
    await files.discard('fil_1')
    expect(await readdir(directory)).toEqual([])
  })

  test('clears away what a killed process left, and not what another one writes now', async () => {
    await files.keep('fil_1', chunks(1), 10)
    await writeFile(join(directory, 'fil_2.partial'), 'left')
    await writeFile(join(directory, 'fil_3.partial'), 'being written')
    const old = systemClock.now().getTime() / 1000 - 2 * 60 * 60
    await utimes(join(directory, 'fil_2.partial'), old, old)
    await localFiles(directory, systemClock).keep('fil_4', chunks(1), 10)
    expect((await readdir(directory)).sort()).toEqual(['fil_1', 'fil_3.partial', 'fil_4'])
  })
})
