import { chownSync, copyFileSync, existsSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { accountFor } from '@muripo/embedded-postgres/account'
import { findBinaries } from '@muripo/embedded-postgres/binaries'
import pg from 'pg'
import { freePort } from '../../lib/free-port.ts'
import { repository } from '../../lib/repository.ts'
import type { Keeper } from './keeper.ts'
import { runProgram } from './program.ts'

const debianServer = () => globSync('/usr/lib/postgresql/*/bin/postgres').sort().at(-1)

export const missingForPgBackRest = (): string[] => [
  ...(existsSync('/usr/bin/pgbackrest') ? [] : ['pgBackRest (apt-get install pgbackrest)']),
  ...(debianServer() ? [] : ['PostgreSQL of Debian (apt-get install postgresql)']),
]

/** A server of Debian's packages with the files of deploy/pgbackrest; paths come from the environment. */
export async function pgBackRestKeeper(directory: string): Promise<Keeper> {
  const binaries = path.dirname(debianServer() ?? '')
  const cluster = path.join(directory, 'cluster')
  const port = await freePort()
  const { uid, gid } = await accountFor(cluster, await findBinaries())
  const account = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
  const place = (name: string): string => {
    const made = path.join(directory, name)
    mkdirSync(made, { mode: 0o700 })
    if (uid !== undefined && gid !== undefined) chownSync(made, uid, gid)
    return made
  }
  const config = path.join(directory, 'pgbackrest.conf')
  copyFileSync(path.join(repository, 'deploy/pgbackrest/pgbackrest.conf'), config)
  const archiveConf = path.join(directory, 'archive.conf')
  copyFileSync(path.join(repository, 'deploy/pgbackrest/archive.conf'), archiveConf)
  const socket = place('socket')
  const env = {
    PATH: `${binaries}:/usr/bin:/bin`,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    PGBACKREST_CONFIG: config,
    PGBACKREST_PG1_PATH: cluster,
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_SOCKET_PATH: socket,
    PGBACKREST_PG1_USER: 'muripo_owner',
    PGBACKREST_PG1_DATABASE: 'postgres',
    PGBACKREST_REPO1_PATH: place('repository'),
    PGBACKREST_LOG_PATH: place('log'),
    PGBACKREST_LOCK_PATH: place('lock'),
    PGBACKREST_SPOOL_PATH: place('spool'),
  }
  const run = (program: string, ...args: string[]) => runProgram(program, args, env, account)
  const pgBackRest = (...args: string[]) => run('pgbackrest', '--stanza=muripo', ...args)
  const log = path.join(directory, 'log/postgres.log')
  const start = () => run('pg_ctl', 'start', '-D', cluster, '-w', '-t', '120', '-s', '-l', log)

  place('cluster')
  await run(
    'initdb',
    '-D',
    cluster,
    '-U',
    'muripo_owner',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  )
  await appendFile(
    path.join(cluster, 'postgresql.conf'),
    [
      '',
      "listen_addresses = '127.0.0.1'",
      `port = ${port}`,
      `unix_socket_directories = '${socket}'`,
      "timezone = 'UTC'",
      'log_error_verbosity = terse',
      `include = '${archiveConf}'`,
      '',
    ].join('\n'),
  )
  await start()
  const address = (role: string, database: string) => `postgres://${role}@127.0.0.1:${port}/${database}`
  const owner = address('muripo_owner', 'muripo')
  const client = new pg.Client({ connectionString: address('muripo_owner', 'postgres') })
  await client.connect()
  await client.query('create database muripo')
  await client.query('create role muripo_serving login')
  await client.end()
  await pgBackRest('stanza-create')
  await pgBackRest('check')
  await pgBackRest('--type=full', 'backup')

  const dataDir = path.join(directory, 'data')
  mkdirSync(dataDir)
  return {
    environment: { DATABASE_URL: address('muripo_serving', 'muripo'), MIGRATE_DATABASE_URL: owner },
    dataDir,
    databaseUrl: owner,
    // The full backup is that of the empty database.
    backUp: () => pgBackRest('--type=incr', 'backup'),
    async destroy() {
      await run('pg_ctl', 'stop', '-D', cluster, '-m', 'immediate', '-w', '-s')
      rmSync(cluster, { recursive: true })
      place('cluster')
    },
    async restore(to) {
      const target = to.toISOString().replace('T', ' ').replace('Z', '+00')
      await pgBackRest('--type=time', `--target=${target}`, '--target-action=promote', 'restore')
      await start()
      await untilPromoted(owner)
    },
    async stop() {
      if (existsSync(path.join(cluster, 'postmaster.pid')))
        await run('pg_ctl', 'stop', '-D', cluster, '-m', 'fast', '-w', '-s')
    },
  }
}

async function untilPromoted(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
      if (rows[0]?.recovering === false) return
    } finally {
      await client.end().catch(() => {})
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
