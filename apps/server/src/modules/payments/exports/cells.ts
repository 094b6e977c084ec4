import { type Money, toDecimal } from '@muripo/contract/money'
import type { ExportQuery } from '@muripo/contract/payment-exports'
import { BYTE_ORDER_MARK, neutralText } from '@muripo/contract/spreadsheet-text'
import { stringify } from 'csv-stringify/sync'

/** A cell without quotes, which spreadsheets read as a number or a time. Every other cell is a text. */
export class Plain {
  readonly written: string
  constructor(written: string) {
    this.written = written
  }
}
export type Cell = string | Plain | null

export const decimal = (amount: Money | null): Cell => amount && new Plain(toDecimal(amount))

const format = {
  record_delimiter: 'windows',
  // A separator, line break or quote in a text never ends its cell.
  quoted_string: true,
  cast: { object: (cell: object) => (cell as Plain).written },
} as const

/** neutral: a text cannot run in a spreadsheet. exact: for a program that writes cells with types. */
export type Texts = ExportQuery['texts']

export const lines = (rows: readonly (readonly Cell[])[], texts: Texts): string =>
  stringify(
    rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' && texts === 'neutral' ? neutralText(cell) : cell)),
    ),
    format,
  )

export const headOf = (titles: readonly string[]): string => BYTE_ORDER_MARK + lines([titles], 'neutral')
