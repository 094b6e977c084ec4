import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { copyFile, syncDirectory, syncTree } from '@muripo/embedded-postgres/base-backup'

/**
 * Copies a stored file to the archive, durably. The copy stays when the file is deleted: a restore to an earlier moment needs it.
 * @returns false when the file is deleted already
 */
export async function archiveUpload(stored: string, archive: string, name: string): Promise<boolean> {
  const target = join(archive, name)
  if (existsSync(target)) return true
  await mkdir(archive, { recursive: true, mode: 0o700 })
  const part = `${target}.part`
  try {
    await copyFile(join(stored, name), part)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  await syncTree(part)
  await rename(part, target)
  await syncDirectory(archive)
  return true
}
