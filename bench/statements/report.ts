import type { Options } from '../lib/options.ts'
import { machine, rule, whole } from '../lib/report-lines.ts'
import type { StatementFigures } from './measure.ts'

/** Lines of the table; the other statements are added up in the last one. */
const LINES = 24

const line = (name: string, calls: string, prepared: string, executed: string) =>
  `${name.slice(0, 44).padEnd(46)}${calls.padStart(8)}${prepared.padStart(12)}${executed.padStart(12)}`

export function printStatements({ round, lives, costs }: StatementFigures, { waiting }: Options): void {
  const shown = costs.slice(0, LINES)
  const sum = (of: StatementFigures['costs']) => {
    const total = { calls: 0, prepared: 0, executed: 0 }
    for (const { calls, prepared, executed } of of) {
      total.calls += calls
      total.prepared += prepared
      total.executed += executed
    }
    return total
  }
  const row = (name: string, { calls, prepared, executed }: ReturnType<typeof sum>) =>
    line(name, (calls / lives).toFixed(3), whole(prepared / lives), whole(executed / lives))
  const cut = (name: string) => (name.length > 44 ? `${name.slice(0, 43)}…` : name)
  console.log(
    [
      '',
      `Statements of a life · ${machine(round.others)}`,
      `production's shape, ${whole(waiting)} payers at once · ${whole(lives)} lives, ${whole(round.perSecond)} a second`,
      'processor time of PostgreSQL for one life, µs: parameters and plans, and execution; commits and the background',
      'processes are in the last line only',
      '',
      line('statement', 'calls', 'preparing', 'executing'),
      rule,
      ...shown.map((cost) => row(cut(cost.name), cost)),
      row(`${costs.length - shown.length} others`, sum(costs.slice(LINES))),
      rule,
      row('all statements', sum(costs)),
      line('PostgreSQL, all processes', '', '', whole(round.cpu.postgres * 1e6)),
    ].join('\n'),
  )
}
