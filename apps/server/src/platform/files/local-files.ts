import { createHash } from 'node:crypto'
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { AppError, invariant } from '../errors.ts'
import type { Files, KeptFile } from './files.ts'

const PARTIAL = '.partial'
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/** Files in one directory that only this process's user may read. */
export function localFiles(directory: string, clock: Clock): Files {
  let prepared: Promise<void> | undefined

  function pathOf(name: string): string {
    invariant(/^[a-z0-9_]{1,64}$/.test(name), `"${name}" is not a name for a file`)
    return join(directory, name)
  }

  return {
    async keep(name, source, belowBytes) {
      const path = pathOf(name)
      prepared ??= prepare(directory, clock)
      await prepared.catch((error: unknown) => {
        prepared = undefined
        throw error
      })
      const partial = path + PARTIAL
      const handle = await open(partial, 'wx', 0o600)
      try {
        const kept = await copy(source, handle, belowBytes)
        await handle.sync()
        await handle.close()
        await rename(partial, path)
        await syncDirectory(directory)
        return kept
      } catch (error) {
        await handle.close().catch(() => undefined)
        await rm(partial, { force: true })
        throw error
      }
    },
    async discard(name) {
      await rm(pathOf(name), { force: true })
    },
  }
}

async function copy(
  source: AsyncIterable<Uint8Array>,
  handle: FileHandle,
  belowBytes: number,
): Promise<KeptFile> {
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

// A rename is durable only once the directory that records it is.
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

// A process that was killed could not clean up. Another process may be writing here, hence the age.
async function prepare(directory: string, clock: Clock): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
  const now = clock.now().getTime()
  for (const name of await readdir(directory)) {
    if (!name.endsWith(PARTIAL)) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (now - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
}
