import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '@muripo/embedded-postgres/base-backup'
import { z } from 'zod'
import type { Clock } from '../clock.ts'

const lastBackup = z.object({
  at: z.iso.datetime(),
  state: z.enum(['running', 'complete', 'failed']),
  reason: z.string().optional(),
})

/** The directory of backups may be what fails, so the result of the last backup is with the data. */
const fileOf = (dataDir: string): string => join(dataDir, 'last-backup.json')

/** A backup that is killed records no end. */
const LONGEST_BACKUP_MS = 6 * 3_600_000

/** Takes a backup and records its result. */
export async function recordBackup<T>(dataDir: string, clock: Clock, backUp: () => Promise<T>): Promise<T> {
  const record = (state: z.output<typeof lastBackup>['state'], reason?: string) =>
    // A backup does not fail because its result cannot be recorded: its age is watched, too.
    writeDurably(fileOf(dataDir), JSON.stringify({ at: clock.now().toISOString(), state, reason })).catch(
      () => undefined,
    )
  await record('running')
  try {
    const result = await backUp()
    await record('complete')
    return result
  } catch (error) {
    await record('failed', error instanceof Error ? error.message : String(error))
    throw error
  }
}

/** The failure of the last backup. Null when it succeeded or runs, before the first one, and after a restore. */
export async function lastBackupFailure(dataDir: string, now: Date): Promise<string | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null)
  if (text === null) return null
  const parsed = lastBackup.safeParse(jsonIn(text))
  // A full disk leaves an empty file.
  if (!parsed.success) return 'its result could not be recorded'
  const { at, state, reason } = parsed.data
  if (state === 'failed') return `${at}: ${reason}`
  const hasEnded = state === 'complete' || now.getTime() - Date.parse(at) < LONGEST_BACKUP_MS
  return hasEnded ? null : `${at}: it did not end`
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
