/** Writes schema.sql, distribute.sql and the row types from a freshly migrated database; with --verify it only compares. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { servingRole } from '@muripo/embedded-postgres/roles'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { grantServing } from '../apps/server/src/platform/db/serving-role.ts'
import { withClient } from './lib/postgres.ts'
import { repository } from './lib/repository.ts'
import { distributionFile, printDistribution } from './lib/schema/print-distribution.ts'
import { printSchema } from './lib/schema/print-schema.ts'

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
  const texts = await withClient(url, async (client) => ({
    'apps/server/schema.sql': await printSchema(client, servingRole),
    [distributionFile]: await printDistribution(client),
  }))
  const others = Object.entries(texts).filter(([name, text]) => !keep(name, text))
  for (const [name] of others)
    console.error(`${name} does not match the migrations: run "npm run schema" and commit the result.`)
  return others.length === 0
}

/** Writes a file or, with --verify, compares it. */
function keep(name: string, text: string): boolean {
  const file = path.join(repository, name)
  if (verifies) return readFileSync(file, 'utf8') === text
  writeFileSync(file, text)
  return true
}

function generateTypes(url: string): number {
  const { status, stdout, stderr } = spawnSync(
    path.join(repository, 'node_modules/.bin/kysely-codegen'),
    [
      ...['--dialect', 'postgres', '--url', url, '--out-file', typesFile],
      ...['--type-mapping', JSON.stringify(typeMapping), '--exclude-pattern', 'public.pgmigrations'],
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
