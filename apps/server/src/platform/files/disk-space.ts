import { mkdir, statfs } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/** PostgreSQL stops when its disk is full, so the gateway refuses new data while it can still record work in progress. */
export interface DiskSpace {
  /** Measures the free space. The refusals use the last measurement. */
  measure(): Promise<void>
  /** @throws AppError storage_low */
  refusePayment(): void
  /** Uploads stop at twice the limit of payments, so that no number of uploads stops payments. @throws AppError storage_low */
  refuseUpload(): void
}

const RETRY_SECONDS = 60

/** The number of bytes on the disk of a directory that are free for this process. */
export const freeBytes = async (directory: string): Promise<number> => {
  // With a database elsewhere the directory may not exist yet.
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

export function createDiskSpace(
  { dataDir, databaseUrl, minFreeDiskBytes }: Config,
  log: Log,
  read: (directory: string) => Promise<number> = freeBytes,
): DiskSpace {
  // Nothing is refused before the first measurement.
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
      // Without a limit, the directory may be one that this process cannot write.
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
