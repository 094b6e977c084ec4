import { crash } from './lib/crash.ts'
import { exitWith, readOptionsOrExit } from './lib/drill/options.ts'
import { inDrillDirectory, printFigures, printFindings } from './lib/drill/report.ts'
import { webBuilt } from './lib/web-build.ts'

const usage = `npm run crash -- [--kills N] [--seed N] [--only gateway|postgres] [--customers N]

Kills the gateway and its database with SIGKILL at random moments under load. After each start and at the end, compares the
responses that clients received, the rows of the database, the records of the wallet and the delivered events.

  --kills N      number of kills (50)
  --seed N       another run; the same number gives the same moments (1)
  --only WHICH   kill the gateway only, or PostgreSQL only
  --customers N  customers who order at the same time (6)`

const { kills, seed, customers, only } = readOptionsOrExit(usage, {
  kills: 50,
  seed: 1,
  customers: 6,
  only: '',
})
if (only !== '' && only !== 'gateway' && only !== 'postgres') exitWith(usage, 1)

await webBuilt()
const report = await inDrillDirectory('crash', (directory) =>
  crash(directory, { kills, seed, customers, only: only === '' ? null : only }),
)
printFigures(report.figures, 28)
printFindings(report, 'The database and its log')
process.exit()
