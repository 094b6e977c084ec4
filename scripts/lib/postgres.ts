import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import pg from 'pg'

/** Opens a session of a database during some work. */
export async function withClient<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
  config: pg.ClientConfig = {},
): Promise<Result> {
  const client = new pg.Client({ connectionString, ...config })
  // A server that ends the session emits an error, which the next query reports, too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Changes settings of a PostgreSQL that does not run, because some of them need a restart. */
export async function alterSystem(
  dataDir: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  await withClient(server.url, async (client) => {
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter system set ${name} = '${value}'`)
  })
  await server.stop()
}
