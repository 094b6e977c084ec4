import { defineDrill, refuse } from '../lib/options.ts'
import { runDrill } from '../lib/report.ts'
import { embeddedKeeper } from './keeper.ts'
import { missingForPgBackRest, pgBackRestKeeper } from './pgbackrest-keeper.ts'
import { restoreDrill } from './run.ts'

export const drill = defineDrill({
  describe:
    'backs up under load, destroys the database, restores a moment, and compares all records (--with pgbackrest)',
  options: { with: ['embedded', 'pgbackrest'], seconds: 20, customers: 6, seed: 1 },
  async run({ with: tool, ...numbers }) {
    const missing = tool === 'pgbackrest' ? missingForPgBackRest() : []
    if (missing.length > 0) refuse(`Missing: ${missing.join(', ')}`)
    await runDrill('restore', async (directory) => {
      const keeper = await (tool === 'pgbackrest' ? pgBackRestKeeper : embeddedKeeper)(directory)
      return restoreDrill(directory, keeper, numbers)
    })
  },
})
