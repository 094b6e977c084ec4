import type { LineKind } from './mapping.ts'

/** A source as readers and checks need it. */
export interface SourceAccount {
  readonly currency: string
  /** The account as its statements print it; null when they print none. */
  readonly account: string | null
}

/** A movement of a statement; a positive amount increases the balance. */
export interface StatementLine {
  /** The row of a table, or the line of an XML file. */
  readonly row: number
  /** The entry of the statement to which the line belongs; several lines of an entry are its details. */
  readonly entry: number
  readonly bookedOn: string
  readonly time: string | null
  readonly valueOn: string | null
  readonly kind: LineKind
  readonly reference: string | null
  readonly ourReference: string | null
  readonly details: string | null
  readonly feeMinor: bigint
  readonly taxMinor: bigint
  readonly netMinor: bigint
  /** The printed balance after the line. */
  readonly balanceMinor: bigint | null
}

export interface UnreadRow {
  readonly row: number
  readonly reason: string
  readonly cells: string
}

/** The printed number and sum of some entries; null where one is not printed. */
export interface PrintedTotal {
  readonly entries: number | null
  readonly minor: bigint | null
}

/** The facts that a statement prints about itself. */
export interface StatementHead {
  readonly number: string | null
  readonly startsOn: string | null
  /** The day of the opening balance: the first day, or the day before it, as banks differ. */
  readonly openingOn: string | null
  readonly endsOn: string | null
  readonly openingMinor: bigint | null
  readonly closingMinor: bigint | null
  readonly credits: PrintedTotal | null
  readonly debits: PrintedTotal | null
  readonly all: PrintedTotal | null
}

/** The parts of a file in their order. The head is last, because tables have facts below their lines. */
export type StatementPart =
  | { readonly is: 'line'; readonly line: StatementLine }
  /** A movement that has not happened: it is no line, and some sources count it in their running balance. */
  | { readonly is: 'skipped'; readonly netMinor: bigint }
  | { readonly is: 'unread'; readonly unread: UnreadRow }
  | { readonly is: 'end'; readonly head: StatementHead }

/** The file is not imported, and nothing of it is stored. The message is for the operator. */
export class StatementRefused extends Error {}

/** Text of a file as it is stored: one line of printable characters. */
export function storedText(text: string, most: number): string | null {
  const plain = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  // A character outside of the basic plane is not cut in two.
  return plain === '' ? null : [...plain.slice(0, 2 * most)].slice(0, most).join('')
}

const compact = (text: string): string => text.replace(/\s+/g, '').toUpperCase()

/** Refuses the account of a file that is not the account of the source. Some files print a name before the number. */
export function checkAccount(printed: string, { account }: SourceAccount): void {
  if (account === null) return
  const [one, other] = [compact(printed), compact(account)]
  const before = one.at(-other.length - 1)
  if (one.endsWith(other) && (before === undefined || !/\d/.test(before))) return
  throw new StatementRefused(
    `The account ${storedText(printed, 80)} is not the account of this source, which is ${account}.`,
  )
}

export function checkCurrency(printed: string, { currency }: SourceAccount): void {
  if (printed.trim() !== currency)
    throw new StatementRefused(
      `The currency ${storedText(printed, 20) ?? '(empty)'} is not the currency of this source, which is ${currency}.`,
    )
}
