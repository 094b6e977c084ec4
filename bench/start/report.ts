import { machine, rule } from '../lib/report-lines.ts'
import { median } from '../lib/statistics.ts'
import type { Start, StartFigures } from './measure.ts'

function line(name: string, starts: readonly Start[]): string {
  const seconds = starts.map((each) => each.seconds)
  const range = `${Math.min(...seconds).toFixed(1)} – ${Math.max(...seconds).toFixed(1)} s`
  const cpu = `${median(starts.map((each) => each.cpu)).toFixed(1)} s`
  const memory = `${Math.round(median(starts.map((each) => each.memoryMb)))} MB`
  return `${name.padEnd(30)}${`${median(seconds).toFixed(1)} s`.padStart(8)}${range.padStart(16)}${cpu.padStart(12)}${memory.padStart(12)}`
}

export function printStarts({ cold, empty, warm }: StartFigures): void {
  console.log(
    [
      '',
      `Starts · ${machine()}`,
      `from the command to the first 200 of /readyz, ${cold.length} of each in turn`,
      '',
      `${''.padEnd(30)}${'median'.padStart(8)}${'least – most'.padStart(16)}${'processor'.padStart(12)}${'memory'.padStart(12)}`,
      rule,
      line('cold: nothing built, no data', cold),
      line('empty: no data', empty),
      line('warm: the same data again', warm),
    ].join('\n'),
  )
}
