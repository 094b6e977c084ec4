import { defineDrill } from '../lib/define-drill.ts'
import { runDrill } from '../lib/report.ts'
import { upgrade } from './run.ts'

export const drill = defineDrill({
  describe:
    'an earlier and a later version serve one database side by side through an upgrade, and back (--from newest, present or COMMIT)',
  options: { from: 'newest', seconds: 8, customers: 6, seed: 1 },
  run: ({ from, ...numbers }) =>
    runDrill('upgrade', (directory) =>
      upgrade(directory, {
        ...numbers,
        from: from === 'newest' || from === 'present' ? from : { commit: from },
      }),
    ),
})
