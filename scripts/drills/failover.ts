import { parseArgs } from 'node:util'
import { percentile } from '../../bench/lib/statistics.ts'
import { printFigures, printFindings } from '../lib/drill/report.ts'
import { buildWeb } from '../lib/web-build.ts'
import { missingPrograms } from './failover/cluster.ts'
import { failover, type Kind, kinds } from './failover/run.ts'

export const describe =
  'three nodes of Patroni lose their leader while customers pay; then all records are compared'

const usage = `npm run drill -- failover [--times N] [--kind ${kinds.join('|')}] [--seed N] [--customers N]

Needs the Debian packages patroni, etcd-server, haproxy and postgresql (15).`

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      times: { type: 'string', default: '8' },
      kind: { type: 'string' },
      seed: { type: 'string', default: '1' },
      customers: { type: 'string', default: '12' },
    },
  })
  const kind = values.kind ?? null
  const missing = missingPrograms()
  if ((kind !== null && !kinds.includes(kind as Kind)) || missing.length > 0) {
    console.log(missing.length > 0 ? `${usage}\nMissing: ${missing.join(', ')}` : usage)
    process.exitCode = 2
    return
  }
  await buildWeb((line) => console.error(line)).done
  const report = await failover({
    times: Number(values.times),
    kind: kind as Kind | null,
    seed: Number(values.seed),
    customers: Number(values.customers),
    log: (line) => console.error(`  ${line}`),
  })
  const seconds = report.failovers.map(({ withoutCreatesMs }) => withoutCreatesMs / 1000)
  const count = (kindOf: string) => report.findings.filter((finding) => finding.kind === kindOf).length
  const rows: [string, string | number][] = [
    ['failovers', report.failovers.length],
    ['acknowledged payments', report.orders],
    ['paid', report.paid],
    ['acknowledged refunds', report.refunds],
    ['events delivered', report.deliveries],
    ['lost', count('lost')],
    ['duplicated', count('duplicated')],
    ['half done', count('half done')],
    ['unresolved', count('unresolved')],
    [
      'without creates',
      `${percentile(seconds, 0.5).toFixed(1)} s (p50), ${percentile(seconds, 0.95).toFixed(1)} s (p95)`,
    ],
  ]
  printFigures({ figures: rows }, 28)
  printFindings(report, 'The logs')
}
