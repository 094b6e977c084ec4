import { type AmountStyle, readAmount, Unreadable } from './amounts.ts'
import { readMoment } from './dates.ts'
import type { Column, LineKind, Mapping, Place } from './mapping.ts'
import { LineKind as LineKinds } from './mapping.ts'
import type { TableRow } from './rows.ts'
import {
  checkAccount,
  checkCurrency,
  type SourceAccount,
  type StatementHead,
  type StatementLine,
  type StatementPart,
  StatementRefused,
  storedText,
} from './statement.ts'

type Fact = keyof Mapping['facts']

/** Reads the rows of a table by the mapping of its source. */
export async function* readTable(
  rows: AsyncIterable<TableRow>,
  mapping: Mapping,
  source: SourceAccount,
): AsyncGenerator<StatementPart> {
  const facts = new Facts(mapping, source)
  let columns: TableColumns | null = mapping.header === 0 ? new TableColumns(mapping, [], source) : null
  /** The last line, which rows below it may continue. */
  const last: { line: StatementLine | null } = { line: null }
  let entry = 0
  let hasBegun = false
  for await (const row of rows) {
    const { cells } = row
    if (cells.every((cell) => cell.trim() === '')) continue
    if (facts.take(row) || mapping.ignore.some(({ label, in: at }) => cells[at - 1]?.trim() === label))
      continue
    if (row.row === mapping.header) columns = new TableColumns(mapping, cells, source)
    if (columns === null || row.row <= mapping.header) continue
    if (mapping.continued && hasBegun && columns.continues(cells)) {
      // The row before it is skipped or unread.
      if (last.line === null) continue
      const more = [last.line.details ?? '', ...cells].join(' ')
      last.line = { ...last.line, details: storedText(more, 500) }
      continue
    }
    if (last.line !== null) yield { is: 'line', line: last.line }
    last.line = null
    hasBegun = true
    try {
      facts.takeEach(row, columns)
      const read = columns.read(row, entry + 1)
      if ('netMinor' in read) yield { is: 'skipped', netMinor: read.netMinor }
      else {
        last.line = read.line
        entry += 1
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const shown = storedText(cells.join(' | '), 500) ?? ''
      yield { is: 'unread', unread: { row: row.row, reason: error.message.slice(0, 300), cells: shown } }
    }
  }
  if (last.line !== null) yield { is: 'line', line: last.line }
  if (columns === null)
    throw new StatementRefused(`The file has no row ${mapping.header}, which has the titles by the mapping.`)
  yield { is: 'end', head: facts.head() }
}

/** The columns of the lines, found by their titles. */
class TableColumns {
  readonly #mapping: Mapping
  readonly #titles: readonly string[]
  readonly #style: AmountStyle
  readonly #kinds: ReadonlyMap<string, LineKind>

  constructor(mapping: Mapping, titles: readonly string[], { currency }: SourceAccount) {
    this.#mapping = mapping
    this.#titles = titles.map((title) => title.trim())
    this.#style = { ...mapping, currency }
    this.#kinds = new Map(
      LineKinds.options.flatMap((kind) =>
        (mapping.kind?.words[kind] ?? []).map((word) => [word, kind] as const),
      ),
    )
    const { amount, kind, status, balance, bookedOn, reference, details, facts } = mapping
    const each = Object.values(facts).flatMap((place) => (place && 'each' in place ? [place.each] : []))
    const others = [mapping.time, mapping.valueOn, mapping.fee, mapping.tax, mapping.ourReference]
    for (const column of [
      ...('credit' in amount ? [amount.credit, amount.debit] : [amount.column]),
      ...('indicator' in amount ? [amount.indicator] : []),
      ...[kind, status, balance].flatMap((part) => (part ? [part.column] : [])),
      ...[bookedOn, reference, details, each].flat(),
      ...others.flatMap((column) => (column === undefined ? [] : [column])),
    ])
      this.#indexOf(column)
  }

  #indexOf(column: Column): number {
    if (typeof column === 'number') return column - 1
    const index = this.#titles.indexOf(column)
    if (index === -1)
      throw new StatementRefused(
        `The file has no column "${column}"; row ${this.#mapping.header} has: ${storedText(this.#titles.join(', '), 300) ?? 'nothing'}.`,
      )
    if (this.#titles.indexOf(column, index + 1) !== -1)
      throw new StatementRefused(
        `Two columns are named "${column}": name them by their numbers in the mapping.`,
      )
    return index
  }

  /** The text of a cell, empty for a column that is absent or not mapped. */
  cell(cells: readonly string[], column: Column | undefined): string {
    return column === undefined ? '' : (cells[this.#indexOf(column)] ?? '').trim()
  }

  #booked(cells: readonly string[]): string {
    return this.#mapping.bookedOn.map((column) => this.cell(cells, column)).find((text) => text !== '') ?? ''
  }

  continues(cells: readonly string[]): boolean {
    return this.#booked(cells) === ''
  }

  read(
    { row, cells }: TableRow,
    entry: number,
  ): { readonly line: StatementLine } | { readonly netMinor: bigint } {
    const mapping = this.#mapping
    const status = this.cell(cells, mapping.status?.column)
    const isSkipped = mapping.status?.skipped?.includes(status) === true
    if (isSkipped && mapping.balance?.countsSkipped !== true) return { netMinor: 0n }
    if (!isSkipped && mapping.status && !mapping.status.booked.includes(status))
      throw new Unreadable(`the status "${status.slice(0, 60)}" is not in the mapping`)
    const [fee, tax] = [this.#optional(cells, mapping.fee), this.#optional(cells, mapping.tax)]
    const amount = this.#amount(cells)
    // A fee that is printed as a debit lowers the amount as one without a sign does.
    const [feeMinor, taxMinor] = [fee < 0n ? -fee : fee, tax < 0n ? -tax : tax]
    const netMinor = mapping.amountIs === 'net' ? amount : amount - feeMinor - taxMinor
    if (isSkipped) return { netMinor }
    const printed = this.#booked(cells)
    if (printed === '') throw new Unreadable('the row has no date')
    const { day, time } = readMoment(printed, mapping.dateOrder)
    const ownTime = this.cell(cells, mapping.time)
    const value = this.cell(cells, mapping.valueOn)
    const balance = this.cell(cells, mapping.balance?.column)
    return {
      line: {
        row,
        entry,
        bookedOn: day,
        time: ownTime === '' ? time : readMoment(`${day} ${ownTime}`, 'YMD').time,
        valueOn: value === '' ? null : readMoment(value, mapping.dateOrder).day,
        kind: this.#kinds.get(this.cell(cells, mapping.kind?.column)) ?? 'other',
        reference: this.#reference(cells),
        ourReference: storedText(this.cell(cells, mapping.ourReference), 140),
        details: storedText(mapping.details.map((column) => this.cell(cells, column)).join(' '), 500),
        feeMinor,
        taxMinor,
        netMinor,
        balanceMinor: balance === '' ? null : readAmount(balance, this.#style),
      },
    }
  }

  #reference(cells: readonly string[]): string | null {
    const { reference, referenceWord } = this.#mapping
    const parts = reference.map((column) => this.cell(cells, column)).filter((part) => part !== '')
    const whole = parts.join('/')
    return storedText(
      referenceWord === undefined ? whole : (whole.split(/\s+/)[referenceWord - 1] ?? ''),
      140,
    )
  }

  #optional(cells: readonly string[], column: Column | undefined): bigint {
    const text = this.cell(cells, column)
    return text === '' ? 0n : readAmount(text, this.#style)
  }

  #amount(cells: readonly string[]): bigint {
    const { amount } = this.#mapping
    if ('credit' in amount) {
      const texts = [this.cell(cells, amount.credit), this.cell(cells, amount.debit)]
      if (texts.every((text) => text === '')) throw new Unreadable('the row has no amount')
      const [credit = 0n, debit = 0n] = texts.map((text) =>
        text === '' ? 0n : readAmount(text, this.#style),
      )
      if (credit !== 0n && debit !== 0n) throw new Unreadable('the row has a credit and a debit')
      return credit + (amount.debits === 'positive' ? -debit : debit)
    }
    const text = this.cell(cells, amount.column)
    if (text === '') throw new Unreadable('the row has no amount')
    const minor = readAmount(text, this.#style)
    if (!('indicator' in amount)) return amount.debits === 'positive' ? -minor : minor
    const word = this.cell(cells, amount.indicator)
    if (amount.creditWords.includes(word)) return minor
    if (amount.debitWords.includes(word)) return minor < 0n ? minor : -minor
    throw new Unreadable(`"${word.slice(0, 60)}" says neither credit nor debit by the mapping`)
  }
}

/** The facts of the whole statement, which are above, below or beside its lines. */
class Facts {
  readonly #mapping: Mapping
  readonly #source: SourceAccount
  readonly #places: readonly (readonly [Fact, Place])[]
  readonly #found = new Map<Fact, string>()

  constructor(mapping: Mapping, source: SourceAccount) {
    this.#mapping = mapping
    this.#source = source
    this.#places = Object.entries(mapping.facts) as [Fact, Place][]
  }

  /** Whether the row has facts and is therefore no line. */
  take({ row, cells }: TableRow): boolean {
    let isFact = false
    for (const [fact, place] of this.#places) {
      const isHere =
        'row' in place ? place.row === row : 'label' in place && cells[place.in - 1]?.trim() === place.label
      if (!isHere || 'each' in place) continue
      isFact = true
      this.#note(fact, (cells[place.column - 1] ?? '').trim(), row)
    }
    return isFact
  }

  takeEach({ row, cells }: TableRow, columns: TableColumns): void {
    for (const [fact, place] of this.#places)
      if ('each' in place) this.#note(fact, columns.cell(cells, place.each), row)
  }

  #note(fact: Fact, text: string, row: number): void {
    const before = this.#found.get(fact)
    if (before === text) return
    if (before !== undefined)
      throw new StatementRefused(
        `Row ${row}: the ${inWords[fact]} is "${storedText(text, 60) ?? ''}", and was "${storedText(before, 60) ?? ''}" above.`,
      )
    if (text === '') throw new StatementRefused(`Row ${row}: the ${inWords[fact]} is empty.`)
    this.#found.set(fact, text)
    if (fact === 'account') checkAccount(text, this.#source)
    if (fact === 'currency') checkCurrency(text, this.#source)
  }

  head(): StatementHead {
    const missing = this.#places.find(([fact, place]) => !('each' in place) && !this.#found.has(fact))
    if (missing)
      throw new StatementRefused(`The file does not have its ${inWords[missing[0]]} where the mapping says.`)
    const amountOf = (fact: Fact) =>
      this.#read(fact, (text) => readAmount(text, { ...this.#mapping, ...this.#source }))
    const dayOf = (fact: Fact) => this.#read(fact, (text) => readMoment(text, this.#mapping.dateOrder).day)
    const total = (minor: bigint | null) =>
      minor === null ? null : { entries: null, minor: minor < 0n ? -minor : minor }
    const lines = this.#read('lines', (text) => {
      if (!/^\d{1,7}$/.test(text)) throw new Unreadable(`"${text}" is not a number of lines`)
      return Number(text)
    })
    return {
      number: storedText(this.#found.get('number') ?? '', 60),
      startsOn: dayOf('startsOn'),
      openingOn: null,
      endsOn: dayOf('endsOn'),
      openingMinor: amountOf('opening'),
      closingMinor: amountOf('closing'),
      credits: total(amountOf('credits')),
      debits: total(amountOf('debits')),
      all: lines === null ? null : { entries: lines, minor: null },
    }
  }

  #read<Value>(fact: Fact, read: (text: string) => Value): Value | null {
    const text = this.#found.get(fact)
    if (text === undefined) return null
    try {
      return read(text)
    } catch (error) {
      if (error instanceof Unreadable)
        throw new StatementRefused(`The ${inWords[fact]} cannot be read: ${error.message}.`)
      throw error
    }
  }
}

const inWords: Readonly<Record<Fact, string>> = {
  opening: 'opening balance',
  closing: 'closing balance',
  credits: 'sum of credits',
  debits: 'sum of debits',
  lines: 'number of lines',
  account: 'account',
  currency: 'currency',
  number: 'number',
  startsOn: 'first day',
  endsOn: 'last day',
}
