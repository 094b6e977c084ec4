/** A process that holds an embedded database, to be killed by a test. Ctrl-C does not end it, as in the gateway's first moments of a stop. */
import { startEmbeddedPostgres } from '../src/embedded-postgres.ts'

process.on('SIGINT', () => process.send?.({ interrupted: true }))
const dataDir = process.argv[2] ?? ''
try {
  const database = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    onLost: (reason) => process.send?.({ lost: reason }),
  })
  process.once('SIGTERM', async () => {
    await database.stop()
    process.exit(0)
  })
  process.send?.({ url: database.url })
} catch (error) {
  process.send?.({ error: (error as Error).message })
  process.exitCode = 1
  process.disconnect?.()
}
