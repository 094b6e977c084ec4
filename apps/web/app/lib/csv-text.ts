import { BYTE_ORDER_MARK, neutralText } from '@muripo/contract/spreadsheet-text'

/** The columns of a file, for programs and spreadsheets: their titles are English like those of the exports of payments. */
export type CsvColumns<Row> = readonly (readonly [title: string, cell: (row: Row) => string])[]

const line = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${neutralText(cell).replaceAll('"', '""')}"`).join(',')}\r\n`

export const csvOf = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  BYTE_ORDER_MARK +
  line(columns.map(([title]) => title)) +
  rows.map((row) => line(columns.map(([, cell]) => cell(row)))).join('')
