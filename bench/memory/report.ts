import { machine, rule, whole } from '../lib/report-lines.ts'
import { median } from '../lib/statistics.ts'
import type { MemorySample } from './measure.ts'

/** Lines of the table; other samples lie between them. */
const LINES = 10

export function printMemory(samples: readonly MemorySample[]): void {
  const step = Math.max(1, Math.ceil(samples.length / LINES))
  const shown = samples.filter((_, nth) => nth % step === 0 || nth === samples.length - 1)
  const half = (from: number, to: number) =>
    median(samples.slice(from, to).map(({ residentMb }) => residentMb))
  const middle = Math.floor(samples.length / 2)
  console.log(
    [
      '',
      `Memory of the gateway · ${machine()}`,
      'resident, while payments are created as fast as it can',
      '',
      `${'payments'.padEnd(30)}${'a second'.padStart(24)}${'MB'.padStart(24)}`,
      rule,
      ...shown.map(
        ({ payments, perSecond, residentMb }) =>
          whole(payments).padEnd(30) + whole(perSecond).padStart(24) + whole(residentMb).padStart(24),
      ),
      rule,
      `median of the first half ${whole(half(0, middle))} MB, of the second ${whole(half(middle, samples.length))} MB`,
    ].join('\n'),
  )
}
