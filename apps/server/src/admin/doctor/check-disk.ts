import { existsSync } from 'node:fs'
import type { Config } from '../../platform/config.ts'
import { freeBytes } from '../../platform/files/disk-space.ts'
import { sizeText } from '../print.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** The free space of the disk of MURIPO_DATA against the limits at which the gateway refuses new data. */
export async function checkDisk({
  dataDir,
  minFreeDiskBytes,
}: Pick<Config, 'dataDir' | 'minFreeDiskBytes'>): Promise<Finding> {
  if (!existsSync(dataDir))
    return failure('disk', `${dataDir} does not exist: MURIPO_DATA names another directory`)
  const free = await freeBytes(dataDir)
  const text = `${sizeText(free)} free in ${dataDir}`
  if (free < minFreeDiskBytes)
    return failure('disk', `${text}, below MIN_FREE_DISK_MIB: new payments or documents are refused`)
  return free < 2 * minFreeDiskBytes
    ? warning('disk', `${text}, below twice MIN_FREE_DISK_MIB: documents are refused`)
    : ok('disk', text)
}
