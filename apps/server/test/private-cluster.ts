import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { accountFor, giveTo } from '@muripo/embedded-postgres/account'
import { findBinaries } from '@muripo/embedded-postgres/binaries'
import { run } from '@muripo/embedded-postgres/command'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { passwordOf, superuser } from '@muripo/embedded-postgres/roles'
import { clusterParent } from '@muripo/testing/cluster-parent'
import pg from 'pg'

export interface PrivateCluster {
  readonly url: string
  readonly servingUrl: string
  readonly dataDir: string
  execute<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>
  /** Changes settings of the whole server, as an operator would. */
  set(settings: Readonly<Record<string, string>>): Promise<void>
  reset(...names: readonly string[]): Promise<void>
  /** @param change changes the server's files while it is stopped */
  restart(change?: () => void): Promise<void>
  stop(): Promise<void>
}

/** A separate database server, for tests that change settings or files of a server. */
export async function startPrivateCluster({ checksums = true } = {}): Promise<PrivateCluster> {
  const dataDir = mkdtempSync(path.join(clusterParent(), 'muripo-private-'))
  if (!checksums) await initialiseWithoutChecksums(dataDir)
  const start = () => startEmbeddedPostgres({ dataDir, log: () => {} })
  let server: EmbeddedPostgres = await start()

  async function execute<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    // With synchronous_commit off, because a test may have stopped the standby for which other commits wait.
    const client = new pg.Client({ connectionString: server.url, options: '-c synchronous_commit=off' })
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }

  async function reload(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await execute(statement)
    await execute('select pg_reload_conf()')
    // Each server process reads its settings between two statements.
    await execute('select pg_sleep(0.1)')
  }

  return {
    get url() {
      return server.url
    },
    get servingUrl() {
      return server.servingUrl
    },
    dataDir,
    execute,
    set: (settings) =>
      reload(
        Object.entries(settings).map(
          ([name, value]) => `alter system set ${name} = ${pg.escapeLiteral(value)}`,
        ),
      ),
    reset: (...names) => reload(names.map((name) => `alter system reset ${name}`)),
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

async function initialiseWithoutChecksums(dataDir: string): Promise<void> {
  const directory = path.join(dataDir, 'postgres')
  const binaries = await findBinaries()
  const account = await accountFor(directory, binaries)
  mkdirSync(directory, { mode: 0o700 })
  giveTo(account, directory)
  const passwordFile = path.join(dataDir, 'initdb.password')
  writeFileSync(passwordFile, passwordOf(dataDir, superuser))
  giveTo(account, passwordFile)
  const made = await run(
    binaries.initdb,
    [
      `--pgdata=${directory}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-data-checksums',
    ],
    account,
  )
  if (made.code !== 0) throw new Error(made.stderr)
}
