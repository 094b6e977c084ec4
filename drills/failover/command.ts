import { defineDrill, refuse } from '../lib/define-drill.ts'
import { runDrill } from '../lib/report.ts'
import { missingPrograms } from './cluster.ts'
import { kinds } from './faults.ts'
import { failover } from './run.ts'

export const drill = defineDrill({
  describe: 'three nodes of Patroni lose their leader while customers pay; then all records are compared',
  usage: `npm run drill -- failover [--times N] [--kind ${kinds.join('|')}] [--seed N] [--customers N]

Needs the Debian packages patroni, etcd-server, haproxy and postgresql (15).`,
  options: { times: 8, kind: ['', ...kinds], seed: 1, customers: 12 },
  async run({ kind, ...numbers }) {
    const missing = missingPrograms()
    if (missing.length > 0) refuse(`Missing: ${missing.join(', ')}`)
    await runDrill('failover', (directory) => failover(directory, { ...numbers, kind: kind || null }))
  },
})
