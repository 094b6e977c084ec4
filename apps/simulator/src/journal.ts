import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

interface JournalOptions<T> {
  /** Null: the records are kept in memory only. */
  readonly folder: string | null
  readonly file: string
  /** How many records are remembered. */
  readonly keep: number
  readonly idOf: (record: T) => string
  /** Whether a line of the file is a record. */
  readonly isRecord: (value: T) => boolean
}

/**
 * A provider's records. Each change is a line of the file before its response, so a killed simulator restarts with everything that it
 * acknowledged. The oldest records are removed when there are too many.
 */
export function openJournal<T>({ folder, file: name, keep, idOf, isRecord }: JournalOptions<T>) {
  const records = new Map<string, T>()
  const path = folder === null ? null : join(folder, name)
  let lines = 0

  function readLine(line: string): T | null {
    try {
      const value = JSON.parse(line) as T
      return isRecord(value) ? value : null
    } catch {
      return null
    }
  }

  function removeOldest(): T[] {
    const removed: T[] = []
    for (const [id, record] of records) {
      if (records.size <= keep) break
      records.delete(id)
      removed.push(record)
    }
    return removed
  }

  let file: number | null = null
  if (folder !== null && path !== null) {
    mkdirSync(folder, { recursive: true })
    file = openSync(path, 'a+')
    const text = readFileSync(path, 'utf8')
    for (const line of text.split('\n')) {
      const record = readLine(line)
      if (record !== null) records.set(idOf(record), record)
      lines += 1
    }
    removeOldest()
    // The last line of a killed process may be torn; the next one must not be glued to it.
    if (text !== '' && !text.endsWith('\n')) writeSync(file, '\n')
  }

  function compact(): void {
    if (file === null || path === null || lines < keep * 4) return
    const next = openSync(`${path}.next`, 'w')
    for (const record of records.values()) writeSync(next, `${JSON.stringify(record)}\n`)
    closeSync(next)
    closeSync(file)
    renameSync(`${path}.next`, path)
    file = openSync(path, 'a')
    lines = records.size
  }

  return {
    get: (id: string): T | null => records.get(id) ?? null,
    all: (): T[] => [...records.values()],
    /** Keeps the record as it now is; returns those that had to go for it. */
    save(record: T): T[] {
      records.set(idOf(record), record)
      if (file !== null) writeSync(file, `${JSON.stringify(record)}\n`)
      lines += 1
      const removed = removeOldest()
      compact()
      return removed
    },
    close(): void {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}
export type Journal<T> = ReturnType<typeof openJournal<T>>
