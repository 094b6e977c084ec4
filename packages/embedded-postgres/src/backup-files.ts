import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { CopiedFile } from './base-backup.ts'
import { EmbeddedPostgresError } from './error.ts'

/**
 * Opens a file of a backup. The directory of backups may be on a machine that others administer, so nothing in it is trusted: no link is
 * followed, and a pipe or a device is no file.
 */
async function openInside(root: string, name: string): Promise<FileHandle> {
  const file = path.join(root, name)
  const isBelow = (await realpath(path.dirname(file))) === path.join(await realpath(root), path.dirname(name))
  if (!isBelow) throw new EmbeddedPostgresError(`${name} of the backup is outside of it.`)
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? new EmbeddedPostgresError(`${name} of the backup is a link.`) : error
    },
  )
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new EmbeddedPostgresError(`${name} of the backup is no file.`)
}

/**
 * Reads a file of a backup, and writes it to a new file.
 * @param mostBytes a longer file is damaged
 * @param target undefined: the file is read only
 */
export async function readBackupFile(
  root: string,
  name: string,
  mostBytes: number,
  target?: string,
): Promise<CopiedFile> {
  const source = await openInside(root, name)
  try {
    if ((await source.stat()).size > mostBytes)
      throw new EmbeddedPostgresError(`${name} of the backup is damaged: it is longer than listed.`)
    const written = target === undefined ? null : await open(target, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const chunk of source.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > mostBytes)
          throw new EmbeddedPostgresError(`${name} of the backup is damaged: it is longer than listed.`)
        hash.update(chunk)
        await written?.writeFile(chunk)
      }
      return { bytes, sha256: hash.digest('hex') }
    } finally {
      await written?.close()
    }
  } finally {
    await source.close()
  }
}

/** The text of a file of a backup. */
export async function readBackupText(root: string, name: string, mostBytes: number): Promise<string> {
  const source = await openInside(root, name)
  try {
    if ((await source.stat()).size > mostBytes)
      throw new EmbeddedPostgresError(`${name} of the backup is longer than ${mostBytes} bytes.`)
    return await source.readFile('utf8')
  } finally {
    await source.close()
  }
}
