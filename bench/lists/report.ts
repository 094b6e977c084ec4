import type { Options } from '../lib/options.ts'
import { machine } from '../lib/report-lines.ts'
import { percentile } from '../lib/statistics.ts'
import type { ListFigures, Waits } from './measure.ts'

const rule = '-'.repeat(92)
const ms = (value: number) => value.toFixed(1).padStart(9)
const whole = (value: number) => value.toLocaleString('en')

export function printLists({ sizes, waits, others }: ListFigures, { listRounds: rounds }: Options): void {
  const groups = Map.groupBy(waits, ({ group }) => group)
  const worst = (group: Waits['group'], which: number) =>
    Math.max(...(groups.get(group) ?? []).map((each) => percentile(each.of[which] ?? [], 0.95)))
  console.log(
    [
      '',
      `Reading payments · ${machine(others)}`,
      `one reader over HTTP with a session, ${rounds} rounds in turn, milliseconds until the whole answer is there`,
      '',
      `${'payments of the merchant'.padEnd(46)}${sizes.map((rows) => whole(rows).padStart(18)).join('')}${'growth'.padStart(10)}`,
      `${''.padEnd(46)}${sizes.map(() => `${'p50'.padStart(9)}${'p95'.padStart(9)}`).join('')}${'of p50'.padStart(10)}`,
      rule,
      ...[...groups].flatMap(([group, ofGroup]) => [`${group}:`, ...ofGroup.map(line)]),
      rule,
      ...(['one filter', 'dashboard'] as const).map(
        (group) =>
          `${`p95 at most, ${group}`.padEnd(46)}${sizes.map((_, which) => worst(group, which).toFixed(1).padStart(18)).join('')}`,
      ),
    ].join('\n'),
  )
}

function line({ name, of }: Waits): string {
  const medians = of.map((values) => percentile(values, 0.5))
  const growth = (medians.at(-1) ?? 0) / (medians[0] ?? 1)
  return `  ${name.padEnd(44)}${of.map((values) => ms(percentile(values, 0.5)) + ms(percentile(values, 0.95))).join('')}${growth.toFixed(2).padStart(10)}`
}
