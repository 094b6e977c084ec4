import { availableParallelism, cpus } from 'node:os'
import { median } from './statistics.ts'

export const WIDTH = 78
export const rule = '-'.repeat(WIDTH)

export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const oneDigit = (value: number): string => value.toFixed(1)
export const percent = (share: number): string => `${Math.round(100 * share)} %`
export const microseconds = (seconds: number): string =>
  Number.isNaN(seconds) ? 'not measured' : `${whole(seconds * 1e6)} µs`

/** The processors of this machine and, where it was measured, the share of them that other programs used. */
export const machine = (others?: number): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})${others === undefined ? '' : `, others used ${percent(others)} of them`}`

/** A name at the left end of a line, and a value at the right. */
export const line = (name: string, value: string): string => name.padEnd(WIDTH - value.length) + value

/** The median and the range of the rounds, in columns. */
export function rates(values: readonly number[], format: (value: number) => string, width: number): string {
  const range = `${format(Math.min(...values))} – ${format(Math.max(...values))}`
  return `${format(median(values)).padStart(width)}${range.padStart(17)}`
}
