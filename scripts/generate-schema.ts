/** Writes the row types of the database from a freshly migrated one; with --verify it only compares. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../apps/server/src/platform/db/embedded.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { repository } from './lib/repository.ts'

const outFile = path.join(repository, 'apps/server/src/platform/db/schema.ts')
const typeMapping = { int8: 'bigint', timestamptz: 'Date', jsonb: 'unknown', json: 'unknown' }
const silent = () => {}

const directory = mkdtempSync(path.join(tmpdir(), 'muripo-schema-'))
try {
  const database = await startEmbeddedPostgres({ dataDir: directory, log: silent })
  try {
    await migrate(database.url, { log: silent })
    process.exitCode = generate(database.url)
  } finally {
    await database.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function generate(url: string): number {
  const { status, stdout, stderr } = spawnSync(
    path.join(repository, 'node_modules/.bin/kysely-codegen'),
    [
      ...['--dialect', 'postgres', '--url', url, '--out-file', outFile],
      ...[
        '--type-mapping',
        JSON.stringify(typeMapping),
        '--exclude-pattern',
        '{public.pgmigrations,graphile_worker.*}',
      ],
      ...['--type-only-imports', '--log-level', 'error'],
      ...(process.argv.includes('--verify') ? ['--verify'] : []),
    ],
    { cwd: repository, encoding: 'utf8' },
  )
  if (status !== 0) {
    console.error(`${stdout}${stderr}`.trim())
    console.error('The row types do not match the migrations: run "npm run schema" and commit the result.')
  }
  return status ?? 1
}
