import { defineDrill, refuse } from '../lib/define-drill.ts'
import { runDrill } from '../lib/report.ts'
import { embeddedBackupTool } from './backup-tool.ts'
import { missingForPgBackRest, pgBackRestTool } from './pgbackrest-tool.ts'
import { restoreDrill } from './run.ts'

export const drill = defineDrill({
  describe:
    'backs up under load, destroys the database, restores a moment, and compares all records (--with pgbackrest)',
  options: { with: ['embedded', 'pgbackrest'], seconds: 20, customers: 6, seed: 1 },
  async run({ with: name, ...numbers }) {
    const missing = name === 'pgbackrest' ? missingForPgBackRest() : []
    if (missing.length > 0) refuse(`Missing: ${missing.join(', ')}`)
    await runDrill('restore', async (directory) => {
      const tool = await (name === 'pgbackrest' ? pgBackRestTool : embeddedBackupTool)(directory)
      return restoreDrill(directory, tool, numbers)
    })
  },
})
