import { type Money, toDecimal } from '@muripo/contract/money'
import type { ExportQuery } from '@muripo/contract/payment-exports'
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

/** A phone number or another number, which a spreadsheet may evaluate: nothing can run, and an apostrophe would change it in other programs. */
const isNumeral = (text: string): boolean => /^[+-]?[\d ().]+$/.test(text)

/** The places at which a spreadsheet may begin a cell: it may split a line at another separator than ours. */
const formulaStart = /(^|[;,\t|\r\n])(?=[ \u00a0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g

/** A customer's text may begin like a formula, which a spreadsheet would run: an apostrophe makes it a text. */
const neutral = (text: string): string => (isNumeral(text) ? text : text.replace(formulaStart, "$1'"))

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
      row.map((cell) => (typeof cell === 'string' && texts === 'neutral' ? neutral(cell) : cell)),
    ),
    format,
  )

/** Without this mark Excel reads the file in a legacy code page. */
const BYTE_ORDER_MARK = '\ufeff'

export const headOf = (titles: readonly string[]): string => BYTE_ORDER_MARK + lines([titles], 'neutral')
