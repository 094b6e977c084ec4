import { defineDrill } from '../lib/define-drill.ts'
import { runDrill } from '../lib/report.ts'
import { crash } from './run.ts'

export const drill = defineDrill({
  describe: 'kills the gateway and its database at random moments under load, and compares all records',
  usage: `npm run crash -- [--kills N] [--seed N] [--only gateway|postgres] [--customers N]

Kills the gateway and its database with SIGKILL at random moments under load. After each start and at the end, compares the
responses that clients received, the rows of the database, the records of the wallet and the delivered events.

  --kills N      number of kills (50)
  --seed N       another run; the same number gives the same moments (1)
  --only WHICH   kill the gateway only, or PostgreSQL only
  --customers N  customers who order at the same time (6)`,
  options: { kills: 50, seed: 1, customers: 6, only: ['', 'gateway', 'postgres'] },
  run: ({ only, ...numbers }) =>
    runDrill('crash', (directory) => crash(directory, { ...numbers, only: only || null })),
})
