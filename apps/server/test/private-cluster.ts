import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/platform/db/embedded.ts'

export interface PrivateCluster {
  readonly url: string
  readonly dataDir: string
  ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>
  /** Changes settings of the whole server, as its operator would. */
  set(settings: Readonly<Record<string, string>>): Promise<void>
  /** @param change is done to its files while it is down */
  restart(change?: () => void): Promise<void>
  stop(): Promise<void>
}

/** A database server of its own, for tests that change what all databases of a server share. */
export async function startPrivateCluster(): Promise<PrivateCluster> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-private-'))
  const start = () => startEmbeddedPostgres({ dataDir, log: () => {} })
  let server: EmbeddedPostgres = await start()

  async function ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    // With synchronous_commit off, for a test may have taken the standby away that others wait for.
    const client = new pg.Client({ connectionString: server.url, options: '-c synchronous_commit=off' })
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }

  return {
    get url() {
      return server.url
    },
    dataDir,
    ask,
    async set(settings) {
      for (const [name, value] of Object.entries(settings))
        await ask(`alter system set ${name} = ${pg.escapeLiteral(value)}`)
      await ask('select pg_reload_conf()')
      // Each server process reads its settings between two statements.
      await ask('select pg_sleep(0.1)')
    },
    async restart(change = () => {}) {
      await server.stop()
      change()
      server = await start()
    },
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
