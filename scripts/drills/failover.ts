import { readOptions } from '../lib/drill/options.ts'
import { inDrillDirectory, printFigures, printFindings } from '../lib/drill/report.ts'
import { webBuilt } from '../lib/web-build.ts'
import { missingPrograms } from './failover/cluster.ts'
import { type Kind, kinds } from './failover/faults.ts'
import { failover } from './failover/run.ts'

export const describe =
  'three nodes of Patroni lose their leader while customers pay; then all records are compared'

const usage = `npm run drill -- failover [--times N] [--kind ${kinds.join('|')}] [--seed N] [--customers N]

Needs the Debian packages patroni, etcd-server, haproxy and postgresql (15).`

export async function run(args: readonly string[]): Promise<void> {
  const { kind, ...numbers } = readOptions(args, { times: 8, kind: '', seed: 1, customers: 12 })
  const missing = missingPrograms()
  if ((kind !== '' && !kinds.includes(kind as Kind)) || missing.length > 0) {
    console.log(missing.length > 0 ? `${usage}\nMissing: ${missing.join(', ')}` : usage)
    process.exitCode = 2
    return
  }
  await webBuilt()
  const report = await inDrillDirectory('failover', (directory) =>
    failover(directory, { ...numbers, kind: kind === '' ? null : (kind as Kind) }),
  )
  printFigures(report.figures, 28)
  printFindings(report, 'The logs')
}
