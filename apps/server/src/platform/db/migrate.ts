import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { advisoryLocks } from './locks-and-channels.ts'

const directory = fileURLToPath(new URL('../../../migrations', import.meta.url))
const table = 'pgmigrations'
/** The first file of the baseline of version 0.1, which every database has. */
const baseline = '0001_platform'
const lockTimeoutMs = 10_000

export interface MigrateOptions {
  readonly log: (line: string) => void
}

/**
 * Migrates a database to this version's schema. When several processes start, one migrates and the others wait. A role without the right to
 * migrate is enough when no migration is pending.
 */
export function migrate(databaseUrl: string, { log }: MigrateOptions): Promise<{ applied: string[] }> {
  return withClient(databaseUrl, async (client) => {
    // The wait for the lock has no time-out: another process may be in the middle of a long migration.
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migration])
    try {
      const seen = await seenMigrations(client)
      if (seen.size > 0 && !seen.has(baseline)) throw new Error(tooOld)
      if (!(await mayCreate(client))) {
        if ((await pendingMigrations(databaseUrl)).length === 0) return { applied: [] }
        throw Object.assign(new Error('this role may not migrate the database'), { code: '42501' })
      }
      // A migration that waits for a table lock blocks all later statements on the table: the time-out makes it fail, and it can be run
      // again.
      await client.query(`set lock_timeout = ${lockTimeoutMs}`)
      const done = await runner({
        dbClient: client,
        dir: directory,
        migrationsTable: table,
        direction: 'up',
        noLock: true,
        checkOrder: true,
        logger: { info: () => {}, warn: log, error: log },
      })
      const applied = done.map(({ name }) => name)
      for (const name of applied) log(`migrated the database: ${name}`)
      return { applied }
    } finally {
      await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migration]).catch(() => {})
    }
  })
}

const tooOld =
  'the database is older than version 0.1 and cannot be migrated: start with a new MURIPO_DATA directory, or with an empty database in DATABASE_URL'

/** Empty in a new database. */
async function seenMigrations(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows: known } = await client.query('select 1 where to_regclass($1) is not null', [table])
  if (known.length === 0) return new Set()
  const { rows } = await client.query<{ name: string }>(`select name from ${table}`)
  return new Set(rows.map(({ name }) => name))
}

async function mayCreate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    "select has_schema_privilege('public', 'create') as may",
  )
  return rows[0]?.may ?? false
}

/** The migrations of this version that the database lacks. */
export function pendingMigrations(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const files = await readdir(directory)
    const brought = files.filter((name) => name.endsWith('.sql')).map((name) => path.basename(name, '.sql'))
    const seen = await seenMigrations(client)
    return brought.filter((name) => !seen.has(name)).toSorted()
  })
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'muripo: migrations',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // A connection that breaks between two statements is reported by the next one; without a listener, the event would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
