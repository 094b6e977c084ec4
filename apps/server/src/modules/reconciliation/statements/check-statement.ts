import { decimalText } from './amounts.ts'
import {
  type PrintedTotal,
  type SourceAccount,
  type StatementHead,
  type StatementLine,
  StatementRefused,
} from './statement.ts'

/** The end of the chain of a source. */
export interface PreviousStatement {
  readonly position: number
  readonly number: string | null
  readonly endsOn: string
  readonly closingMinor: bigint
}

/** The facts that an operator types for a file that prints less than is needed. */
export interface TypedFacts {
  readonly openingMinor?: bigint
  readonly closingMinor?: bigint
  readonly endsOn?: string
  /** Why nothing is missing between this statement and the one before it. */
  readonly gapReason?: string
}

export interface CheckedStatement {
  readonly position: number
  readonly previous: PreviousStatement | null
  readonly number: string | null
  readonly startsOn: string | null
  readonly endsOn: string
  readonly openingMinor: bigint
  readonly openingFrom: 'file' | 'chain' | 'operator' | 'batch'
  readonly closingMinor: bigint
  readonly closingFrom: 'file' | 'operator' | 'batch'
  readonly lines: number
  readonly sumMinor: bigint
  readonly gapReason: string | null
}

interface CheckedSource extends SourceAccount {
  readonly kind: 'provider' | 'bank' | 'batches'
  readonly isNewestFirst: boolean
}

/** Compares every printed sum, number and running balance of a statement with its lines, and the statement with the end of its chain. */
export class StatementCheck {
  readonly #source: CheckedSource
  #lines = 0
  #entries = 0
  #lastEntry = 0
  #unread = 0
  #credits = { entries: 0, minor: 0n }
  #debits = { entries: 0, minor: 0n }
  #entryMinor = 0n
  #firstDay: string | null = null
  #lastDay: string | null = null
  #last: StatementLine | null = null
  #firstBalance: StatementLine | null = null
  #lastBalance: StatementLine | null = null
  /** Amounts since the last line whose balance is known. */
  #since = 0n
  /** Whether the running balances are those of the lines alone, so that they say the opening and the closing balance. */
  #areBalancesOfLines = true

  constructor(source: CheckedSource) {
    this.#source = source
  }

  get hasUnread(): boolean {
    return this.#unread > 0
  }

  get isEmpty(): boolean {
    return this.#lines === 0
  }

  #text(minor: bigint): string {
    return decimalText(minor, this.#source.currency)
  }

  add(line: StatementLine): void {
    if (line.entry !== this.#lastEntry) this.#endEntry()
    this.#lastEntry = line.entry
    this.#entryMinor += line.netMinor
    this.#lines += 1
    if (this.#firstDay === null || line.bookedOn < this.#firstDay) this.#firstDay = line.bookedOn
    if (this.#lastDay === null || line.bookedOn > this.#lastDay) this.#lastDay = line.bookedOn
    this.#compareBalance(line)
    this.#last = line
  }

  /** An entry counts once, however many details it has. */
  #endEntry(): void {
    if (this.#lastEntry === 0) return
    const total = this.#entryMinor < 0n ? this.#debits : this.#credits
    total.entries += 1
    total.minor += this.#entryMinor < 0n ? -this.#entryMinor : this.#entryMinor
    this.#entries += 1
    this.#entryMinor = 0n
  }

  #compareBalance(line: StatementLine): void {
    const { isNewestFirst } = this.#source
    // In the order of time, the balance after a line is the one before it and its amount.
    if (!isNewestFirst) this.#since += line.netMinor
    if (line.balanceMinor !== null) {
      const before = this.#lastBalance
      if (before?.balanceMinor != null && this.#unread === 0) {
        const expected = before.balanceMinor + (isNewestFirst ? -this.#since : this.#since)
        if (expected !== line.balanceMinor)
          throw new StatementRefused(
            `Row ${line.row}: the running balance is ${this.#text(line.balanceMinor)}, but the lines lead to ${this.#text(expected)} from row ${before.row}: difference ${this.#text(line.balanceMinor - expected)}. Often the balances are sorted by the value date.`,
          )
      }
      if (this.#lines === 1) this.#firstBalance = line
      this.#lastBalance = line
      this.#since = 0n
    }
    if (isNewestFirst) this.#since += line.netMinor
  }

  /** An amount that is in the running balance and is no line. */
  skip(netMinor: bigint): void {
    this.#since += netMinor
    if (netMinor !== 0n) this.#areBalancesOfLines = false
  }

  skipUnread(): void {
    this.#unread += 1
    this.#areBalancesOfLines = false
  }

  /** @throws StatementRefused with everything that is wrong */
  finish(head: StatementHead, previous: PreviousStatement | null, typed: TypedFacts): CheckedStatement {
    this.#endEntry()
    const position = (previous?.position ?? 0) + 1
    const endsOn = head.endsOn ?? typed.endsOn ?? this.#lastDay
    if (endsOn === null)
      throw new StatementRefused(
        'The file has no line and no last day: give the last day that it covers with --until.',
      )
    const balances = this.#balances(head, previous, typed)
    const { openingMinor, closingMinor } = balances
    const sumMinor = this.#credits.minor - this.#debits.minor
    const problems = [
      ...this.#chainProblems(head, previous, endsOn, openingMinor, typed),
      ...(this.#unread > 0 ? [] : this.#totalProblems(head)),
    ]
    const reached = openingMinor + sumMinor
    if (this.#unread === 0 && reached !== closingMinor)
      problems.push(
        `The lines lead from ${this.#text(openingMinor)} to ${this.#text(reached)}, but the closing balance is ${this.#text(closingMinor)}: difference ${this.#text(closingMinor - reached)}.`,
      )
    if (problems.length > 0) throw new StatementRefused(problems.join(' '))
    const { number, startsOn } = head
    const gapReason = typed.gapReason ?? null
    return {
      position,
      previous,
      number,
      startsOn,
      endsOn,
      ...balances,
      lines: this.#lines,
      sumMinor,
      gapReason,
    }
  }

  #balances(
    head: StatementHead,
    previous: PreviousStatement | null,
    typed: TypedFacts,
  ): Pick<CheckedStatement, 'openingMinor' | 'openingFrom' | 'closingMinor' | 'closingFrom'> {
    if (this.#source.kind === 'batches')
      return { openingMinor: 0n, openingFrom: 'batch', closingMinor: 0n, closingFrom: 'batch' }
    const [first, last] = [this.#firstBalance, this.#lastBalance]
    const { isNewestFirst } = this.#source
    const before = isNewestFirst ? this.#last : first
    const openingOfLines =
      before?.balanceMinor == null || !this.#areBalancesOfLines ? null : before.balanceMinor - before.netMinor
    const after = isNewestFirst ? first : this.#since === 0n ? last : null
    const closingOfLines =
      after?.balanceMinor == null || !this.#areBalancesOfLines ? null : after.balanceMinor
    const printedOpening = head.openingMinor ?? openingOfLines
    const printedClosing = head.closingMinor ?? closingOfLines
    const opening = printedOpening ?? previous?.closingMinor ?? typed.openingMinor
    const closing = printedClosing ?? typed.closingMinor
    if (opening === undefined && closing === undefined)
      throw new StatementRefused(
        'The statement has no opening and no closing balance, so its lines cannot be checked: give them with --opening and --closing.',
      )
    if (closing === undefined)
      throw new StatementRefused(
        'The statement has no closing balance, so its lines cannot be checked: give it with --closing.',
      )
    if (opening === undefined) {
      const implied = closing - this.#credits.minor + this.#debits.minor
      throw new StatementRefused(
        `The statement has no opening balance, and none of this source came before it: give it with --opening. Its lines lead to ${this.#text(closing)} from ${this.#text(implied)}.`,
      )
    }
    this.#refuseOther('opening', opening, typed.openingMinor)
    this.#refuseOther('closing', closing, typed.closingMinor)
    return {
      openingMinor: opening,
      openingFrom: printedOpening !== null ? 'file' : previous ? 'chain' : 'operator',
      closingMinor: closing,
      closingFrom: printedClosing !== null ? 'file' : 'operator',
    }
  }

  #refuseOther(which: string, minor: bigint, typed: bigint | undefined): void {
    if (typed !== undefined && typed !== minor)
      throw new StatementRefused(
        `The ${which} balance is ${this.#text(minor)} by the file or the statement before it, and not ${this.#text(typed)}.`,
      )
  }

  #chainProblems(
    { number, startsOn, openingOn }: StatementHead,
    previous: PreviousStatement | null,
    endsOn: string,
    openingMinor: bigint,
    { gapReason }: TypedFacts,
  ): string[] {
    if (!previous) return []
    const last = `${previous.endsOn}${previous.number === null ? '' : `, number ${previous.number}`}`
    const problems: string[] = []
    const difference = openingMinor - previous.closingMinor
    if (difference !== 0n)
      problems.push(
        `The opening balance ${this.#text(openingMinor)} does not continue the last closing balance ${this.#text(previous.closingMinor)} (${last}): difference ${this.#text(difference)}.`,
      )
    if (endsOn < previous.endsOn || (startsOn !== null && startsOn < previous.endsOn))
      problems.push(
        `The statement covers days before the end of the last one (${last}): it is an earlier one, or overlaps.`,
      )
    if (gapReason !== undefined) return problems
    const [one, next] = [numberOf(previous.number), numberOf(number)]
    // A bank states nothing for a weekend, and numbers that follow each other prove it.
    const isNext = one !== null && next === one + 1
    const firstDay = startsOn ?? openingOn
    if (!isNext && firstDay !== null && firstDay > dayAfter(previous.endsOn))
      problems.push(
        `It starts on ${firstDay}, and the last one ended on ${previous.endsOn}: the days between them are missing. If nothing happened on them, say so with --gap-reason.`,
      )
    if (one !== null && next !== null && next > one + 1)
      problems.push(
        next === one + 2 ? `Number ${one + 1} is missing.` : `Numbers ${one + 1} to ${next - 1} are missing.`,
      )
    // Banks begin with 1 again in a new year.
    if (one !== null && next !== null && next <= one && next !== 1)
      problems.push(`Number ${number} does not follow number ${previous.number}.`)
    return problems
  }

  #totalProblems({ credits, debits, all }: StatementHead): string[] {
    const counted = {
      entries: this.#entries,
      minor: this.#credits.minor + this.#debits.minor,
    }
    return [
      ...this.#differences('entries', all, counted),
      ...this.#differences('credits', credits, this.#credits),
      ...this.#differences('debits', debits, this.#debits),
    ]
  }

  #differences(
    name: string,
    printed: PrintedTotal | null,
    counted: { readonly entries: number; readonly minor: bigint },
  ): string[] {
    const problems: string[] = []
    if (printed?.entries != null && printed.entries !== counted.entries)
      problems.push(`The file announces ${printed.entries} ${name} and has ${counted.entries}.`)
    if (printed?.minor != null && printed.minor !== counted.minor)
      problems.push(
        `The printed sum of ${name} is ${this.#text(printed.minor)}, and the lines sum to ${this.#text(counted.minor)}.`,
      )
    return problems
  }
}

const numberOf = (text: string | null): number | null =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
