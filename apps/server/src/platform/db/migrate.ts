import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RunnerOption } from 'node-pg-migrate'
import pg from 'pg'
import { advisoryLocks } from './locks-and-channels.ts'

const ownDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url))
const table = 'pgmigrations'
/** The first file of the baseline of version 0.1. The databases of commits before it have other files. */
const baseline = '0001_shared'
/** A migration that waits for a lock on a table stops all later statements on that table, so it waits briefly and tries again. */
const lockTimeoutMs = 500
const lockRetryMs = { least: 500, most: 5000 }
const lockRetries = 60

export interface MigrateOptions {
  readonly log: (line: string) => void
  /** Another directory, and shorter pauses, for tests. */
  readonly directory?: string
  readonly retryMs?: typeof lockRetryMs
}

/**
 * Migrates a database to this version's schema; a database that a later version has migrated stays as it is. When several processes start, one migrates and the others wait. A role without the right to
 * migrate is enough when no migration is pending.
 */
export function migrate(
  databaseUrl: string,
  { log, directory = ownDirectory, retryMs = lockRetryMs }: MigrateOptions,
): Promise<{ applied: string[] }> {
  return withClient(databaseUrl, async (client) => {
    await lockMigrations(client)
    try {
      const seen = await seenMigrations(client)
      if (seen.size > 0 && !seen.has(baseline)) throw new Error(tooOld)
      const beyond = contractionBeyond(seen, await migrationsIn(directory))
      if (beyond !== undefined) throw new Error(tooNew(beyond))
      if (!(await mayCreate(client))) {
        if ((await pendingMigrations(databaseUrl)).length === 0) return { applied: [] }
        throw Object.assign(new Error('this role may not migrate the database'), { code: '42501' })
      }
      if ((await migrationsIn(directory)).every((name) => seen.has(name))) return { applied: [] }
      const { runner } = await import('node-pg-migrate')
      await client.query(`set lock_timeout = ${lockTimeoutMs}`)
      const run = () =>
        runner({
          dbClient: client,
          dir: directory,
          migrationsTable: table,
          migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadSql }],
          direction: 'up',
          noLock: true,
          checkOrder: true,
          logger: { info: () => {}, warn: () => {}, error: () => {} },
        })
      await untilUnlocked(client, run, retryMs, log)
      const after = await seenMigrations(client)
      const applied = [...after].filter((name) => !seen.has(name))
      for (const name of applied) log(`migrated the database: ${name}`)
      return { applied }
    } finally {
      await client.query('select pg_advisory_unlock($1)', [advisoryLocks.migration]).catch(() => {})
    }
  })
}

/** Runs the migrations again after one did not get its lock: it has changed nothing, and the earlier ones are recorded. */
async function untilUnlocked(
  client: pg.Client,
  run: () => Promise<unknown>,
  { least, most }: typeof lockRetryMs,
  log: MigrateOptions['log'],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run()
      return
    } catch (error) {
      // The runner leaves its transaction open.
      await client.query('rollback').catch(() => {})
      if ((error as { code?: string }).code !== '55P03' || attempt > lockRetries) throw error
      const pauseMs = Math.min(most, least * attempt)
      log(
        `a migration did not get its lock within ${lockTimeoutMs} ms, attempt ${attempt}: again in ${pauseMs} ms`,
      )
      await sleep(pauseMs)
    }
  }
}

type Strategy = NonNullable<RunnerOption['migrationLoaderStrategies']>[number]

/** The suffix of a file whose statements run one by one outside of a transaction, as `create index concurrently` requires. */
const concurrently = '_concurrently.sql'

const loadSql: Exclude<Strategy['loader'], string> = (files) =>
  Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8')
      const isConcurrent = file.endsWith(concurrently)
      const statements = isConcurrent ? text.split(/;[ \t]*$/m).filter((each) => each.trim() !== '') : [text]
      return {
        id: file,
        filePaths: [file],
        actions: {
          up: (pgm) => {
            if (isConcurrent) pgm.noTransaction()
            // The build of an index waits for older transactions, and blocks no statement meanwhile.
            if (isConcurrent) pgm.sql('set lock_timeout = 0')
            for (const statement of statements) pgm.sql(statement)
            if (isConcurrent) pgm.sql(`set lock_timeout = ${lockTimeoutMs}`)
          },
          down: false,
        },
      }
    }),
  )

const tooOld =
  'a commit before 18e12c95 of 24 November 2026 created the database. No later commit migrates it, because no release had its schema: start the earlier commit again, or this one with a new MURIPO_DATA directory or an empty database in DATABASE_URL'

/** The suffix of a migration that removes the form of the schema that the migration of this number has replaced. */
const contraction = /_of_(\d{4})_contract$/

/** A contraction by a later version of a form that this version still uses: this version does not have the migration that replaced it. */
function contractionBeyond(seen: ReadonlySet<string>, own: readonly string[]): string | undefined {
  return [...seen].find((name) => {
    const replacement = contraction.exec(name)?.[1]
    return replacement !== undefined && !own.some((each) => each.startsWith(`${replacement}_`))
  })
}

const tooNew = (name: string): string =>
  `the database is newer than this version, and ${name} has removed a form of it that this version uses: start a later version, or restore a backup from before that migration`

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
    const seen = await seenMigrations(client)
    return (await migrationsIn(ownDirectory)).filter((name) => !seen.has(name))
  })
}

const migrationsIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => path.basename(name, '.sql'))
    .toSorted()

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

const pollMs = 100

/**
 * Orders the processes that change the schema, until the session ends or unlocks. It has no time-out: another process may be in the middle
 * of a long migration. A statement that waited for the lock would hold a snapshot, and the build of an index waits for snapshots: the two
 * processes would wait for each other.
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      advisoryLocks.migration,
    ])
    if (rows[0]?.locked) return
    await sleep(pollMs)
  }
}
