import { mkdir, statfs } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/** PostgreSQL stops when its disk is full, so the gateway refuses new data while it can still record what is under way. */
export interface DiskSpace {
  /** Takes a reading. The refusals use the last reading. */
  measure(): Promise<void>
  /** @throws AppError storage_low */
  refusePayment(): void
  /** Uploads stop at twice the limit of payments, so that no number of uploads stops payments. @throws AppError storage_low */
  refuseUpload(): void
}

const RETRY_SECONDS = 60

/** How many bytes are free for this process on the disk of a directory. */
export const freeBytes = async (directory: string): Promise<number> => {
  // With a database elsewhere nothing may have made it yet.
  await mkdir(directory, { recursive: true })
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

export function createDiskSpace(
  { dataDir, databaseUrl, minFreeDiskBytes }: Config,
  log: Log,
  read: (directory: string) => Promise<number> = freeBytes,
): DiskSpace {
  // Before the first reading nothing is refused.
  let free = Number.POSITIVE_INFINITY
  const limits = {
    uploads: 2 * minFreeDiskBytes,
    // A database elsewhere has its own disk.
    payments: databaseUrl === null ? minFreeDiskBytes : 0,
  }
  const isLow = (what: keyof typeof limits) => free < limits[what]

  function report(what: keyof typeof limits, wasLow: boolean): void {
    if (isLow(what) === wasLow) return
    const figures = { what, freeBytes: free, limitBytes: limits[what] }
    if (isLow(what)) log.error(figures, 'low on disk space: new requests are refused')
    else log.warn(figures, 'disk space is sufficient again')
  }

  function refuse(what: keyof typeof limits): void {
    if (isLow(what)) throw new AppError('storage_low', { headers: { 'retry-after': String(RETRY_SECONDS) } })
  }

  return {
    async measure() {
      // Nothing is refused, so the directory may be one that this process cannot write.
      if (minFreeDiskBytes === 0) return
      const before = { uploads: isLow('uploads'), payments: isLow('payments') }
      free = await read(dataDir)
      report('uploads', before.uploads)
      report('payments', before.payments)
    },
    refusePayment: () => refuse('payments'),
    refuseUpload: () => refuse('uploads'),
  }
}
