import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const NEEDED_BYTES = 6 * 1024 ** 3

/**
 * The parent of the temporary directories of database clusters. A cluster has a thousand files, and each further database four hundred. For
 * each new file, ext4 passes over the inodes of all files that were deleted in the last minutes, so clusters are in memory where there is room.
 */
export function clusterParent(): string {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= NEEDED_BYTES ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}
