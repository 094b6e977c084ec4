import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

interface JournalOptions<T> {
  /** Null: the records are kept in memory only. */
  readonly folder: string | null
  readonly file: string
  /** The number of stored records. */
  readonly keep: number
  readonly idOf: (record: T) => string
}

/**
 * A provider's records. Each change is a line of the file before its response, so a killed simulator restarts with everything that it
 * acknowledged. The oldest records are removed when there are too many.
 */
export function openJournal<T>({ folder, file: name, keep, idOf }: JournalOptions<T>) {
  const records = new Map<string, T>()
  const file = folder === null ? null : new LineFile(folder, name)
  for (const line of file?.read() ?? []) {
    const record = parsed(line)
    if (record !== null) records.set(idOf(record), record)
  }
  removeOldest()

  /** Null for a line that is no record. */
  function parsed(line: string): T | null {
    try {
      const value = JSON.parse(line) as T
      return typeof idOf(value) === 'string' ? value : null
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

  return {
    get: (id: string): T | null => records.get(id) ?? null,
    all: (): T[] => [...records.values()],
    /** Stores the record as it now is; returns those that were removed for it. */
    save(record: T): T[] {
      records.set(idOf(record), record)
      file?.append(record)
      const removed = removeOldest()
      if (file !== null && file.lines >= keep * 4) file.replace(records.values())
      return removed
    },
    close: (): void => file?.close(),
  }
}
export type Journal<T> = ReturnType<typeof openJournal<T>>

/** A file with one value in each line. */
class LineFile {
  lines = 0
  private readonly path: string
  /** Null after the file was closed. */
  private descriptor: number | null

  constructor(folder: string, name: string) {
    mkdirSync(folder, { recursive: true })
    this.path = join(folder, name)
    this.descriptor = openSync(this.path, 'a+')
  }

  read(): string[] {
    const text = readFileSync(this.path, 'utf8')
    // The last line of a killed process may be incomplete. The next record begins on a new line.
    if (text !== '' && !text.endsWith('\n') && this.descriptor !== null) writeSync(this.descriptor, '\n')
    const lines = text.split('\n')
    this.lines = lines.length
    return lines
  }

  append(value: unknown): void {
    if (this.descriptor !== null) writeSync(this.descriptor, `${JSON.stringify(value)}\n`)
    this.lines += 1
  }

  replace(values: Iterable<unknown>): void {
    if (this.descriptor === null) return
    closeSync(this.descriptor)
    this.descriptor = openSync(`${this.path}.next`, 'w')
    this.lines = 0
    for (const value of values) this.append(value)
    renameSync(`${this.path}.next`, this.path)
  }

  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor)
    this.descriptor = null
  }
}
