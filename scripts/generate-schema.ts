/** Writes schema.sql and the row types from a freshly migrated database; with --verify it only compares. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { servingRole } from '@muripo/embedded-postgres/roles'
import pg from 'pg'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { grantServing } from '../apps/server/src/platform/db/serving-role.ts'
import { repository } from './lib/repository.ts'
import { printSchema } from './lib/schema/print-schema.ts'

const sqlFile = path.join(repository, 'apps/server/schema.sql')
const typesFile = path.join(repository, 'apps/server/src/platform/db/schema.ts')
const typeMapping = { int8: 'bigint', timestamptz: 'Date', jsonb: 'unknown', json: 'unknown' }
const verifies = process.argv.includes('--verify')
const silent = () => {}

const directory = mkdtempSync(path.join(tmpdir(), 'muripo-schema-'))
try {
  const database = await startEmbeddedPostgres({ dataDir: directory, log: silent })
  try {
    await migrate(database.url, { log: silent })
    await grantServing(database.url, servingRole)
    const isSame = await generateSql(database.url)
    process.exitCode = generateTypes(database.url) || (isSame ? 0 : 1)
  } finally {
    await database.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}

async function generateSql(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const text = await printSchema(client, servingRole)
    if (!verifies) writeFileSync(sqlFile, text)
    else if (text !== readFileSync(sqlFile, 'utf8')) {
      console.error('schema.sql does not match the migrations: run "npm run schema" and commit the result.')
      return false
    }
    return true
  } finally {
    await client.end()
  }
}

function generateTypes(url: string): number {
  const { status, stdout, stderr } = spawnSync(
    path.join(repository, 'node_modules/.bin/kysely-codegen'),
    [
      ...['--dialect', 'postgres', '--url', url, '--out-file', typesFile],
      ...[
        '--type-mapping',
        JSON.stringify(typeMapping),
        '--exclude-pattern',
        '{public.pgmigrations,graphile_worker.*}',
      ],
      ...['--type-only-imports', '--log-level', 'error'],
      ...(verifies ? ['--verify'] : []),
    ],
    { cwd: repository, encoding: 'utf8' },
  )
  if (status !== 0) {
    console.error(`${stdout}${stderr}`.trim())
    console.error('The row types do not match the migrations: run "npm run schema" and commit the result.')
  }
  return status ?? 1
}
