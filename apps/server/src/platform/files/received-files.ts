import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

const ABANDONED_AFTER_MS = 60 * 60 * 1000

/** An uploaded file that is not trusted yet. Its recipient discards it in the end. */
export interface ReceivedFile {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: Buffer
  discard(): Promise<void>
}

/** The directory of files that wait for inspection, which only this process's user can read. */
export function createReceivedFiles(directory: string, clock: Clock) {
  return {
    async receive(source: AsyncIterable<Uint8Array>, belowBytes: number): Promise<ReceivedFile> {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, randomUUID())
      const handle = await open(path, 'wx', 0o600)
      const discard = () => rm(path, { force: true })
      try {
        const copied = await copy(source, handle, belowBytes)
        await handle.close()
        return { path, ...copied, discard }
      } catch (error) {
        await handle.close().catch(() => undefined)
        await discard()
        throw error
      }
    },

    /** Only old files are deleted, because another process may be receiving here. */
    async deleteAbandoned(): Promise<void> {
      const now = clock.now().getTime()
      for (const name of await readdir(directory).catch(() => [])) {
        const path = join(directory, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
        if (now - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true })
      }
    },
  }
}

async function copy(source: AsyncIterable<Uint8Array>, handle: FileHandle, belowBytes: number) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of source) {
    sizeBytes += chunk.length
    if (sizeBytes >= belowBytes) throw new AppError('file_too_large')
    hash.update(chunk)
    await handle.appendFile(chunk)
  }
  return { sizeBytes, sha256: hash.digest() }
}
