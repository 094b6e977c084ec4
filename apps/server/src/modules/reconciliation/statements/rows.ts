import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { readSheet } from 'read-excel-file/node'
import type { Mapping } from './mapping.ts'
import { StatementRefused } from './statement.ts'

/** A row of a table. */
export interface TableRow {
  /** In a file of text, the line in which the row ends. */
  readonly row: number
  readonly cells: readonly string[]
}

/** The library holds a workbook in memory. */
const MOST_SHEET_ROWS = 100_000
const MOST_SHEET_BYTES = 25_000_000
const MOST_ROW_LENGTH = 65_536

/** The rows of a CSV file, read as a stream. */
export async function* rowsOfCsv(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, separator }: Mapping,
): AsyncGenerator<TableRow> {
  const parser = parse({
    bom: true,
    delimiter: separator,
    info: true,
    max_record_size: MOST_ROW_LENGTH,
    relax_column_count: true,
    skip_empty_lines: false,
  })
  const text = Readable.from(decoded(bytes, encoding))
  text.on('error', (error) => parser.destroy(error))
  text.pipe(parser)
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>)
      yield { row: info.lines, cells: record }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))
      throw new StatementRefused(`The file is not a table of values: ${error.message}.`)
    throw error
  } finally {
    text.destroy()
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new StatementRefused(
      `The file is not in the encoding ${encoding}: name its encoding in the mapping of the source.`,
    )
  }
}

/** The rows of one sheet of a workbook. Cells of dates and numbers become text that the mapping reads. */
export async function* rowsOfSheet(
  file: Buffer,
  { sheet, decimal }: Pick<Mapping, 'sheet' | 'decimal'>,
): AsyncGenerator<TableRow> {
  if (file.length > MOST_SHEET_BYTES)
    throw new StatementRefused(`A workbook has at most ${MOST_SHEET_BYTES / 1e6} MB: import it as CSV.`)
  const rows = await readSheet(file, sheet).catch((error: unknown) => {
    throw new StatementRefused(
      `The file is not a workbook (.xlsx) with a sheet ${sheet}: ${messageOf(error)}`,
    )
  })
  if (rows.length > MOST_SHEET_ROWS)
    throw new StatementRefused(`A sheet has at most ${MOST_SHEET_ROWS} rows: import it as CSV.`)
  for (const [index, row] of rows.entries())
    yield { row: index + 1, cells: row.map((cell) => textOfCell(cell, decimal)) }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function textOfCell(cell: unknown, decimal: string): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace('T00:00:00.000Z', '')
      .replace(/\.\d+Z$/, '')
  // Workbooks compute with fifteen digits, so the sixteenth is a trace of binary fractions.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15))).replace('.', decimal)
  return String(cell)
}
