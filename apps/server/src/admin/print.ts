import { type Currency, money, toDecimal } from '@muripo/contract/money'

/** Text of others, made safe for a terminal: it cannot move the cursor, or hide or reverse other text. */
export const oneLine = (text: string): string => text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()

/** A title, and below it names and values in two columns; empty values are left out. */
export function block(title: string, facts: readonly (readonly [name: string, value: string])[]): string {
  const shown = facts.filter(([, value]) => value !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  return [title, ...shown.map(([name, value]) => `  ${name.padEnd(width)}  ${oneLine(value)}`)].join('\n')
}

/**
 * The first entries of a list, which was read with one entry more than that.
 * @param hint how to find the other entries
 */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
  blockOf: (item: Item) => string,
  hint = '',
): string {
  const more = items.length > most ? [`These are the first ${most}; there are more.${hint}`] : []
  return [...items.slice(0, most).map(blockOf), ...more].join('\n\n')
}

/** "12 kB", "3.4 MB". */
export const sizeText = (bytes: number): string =>
  bytes < 999_500 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${Math.round(bytes / 100_000) / 10} MB`

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "3 days": the age in its largest unit. */
export function ageText(since: Date, now: Date): string {
  const ms = now.getTime() - since.getTime()
  for (const [unit, size] of units) {
    const count = Math.floor(ms / size)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'less than a minute'
}

/** Aligns the first column to the left, figures to the right. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  '),
    )
    .join('\n')
}

/** An amount with commas between its thousands, without its currency. */
export const amountText = (minor: bigint, currency: Currency): string =>
  toDecimal(money(minor, currency)).replace(/\B(?=(\d{3})+\.)/g, ',')
