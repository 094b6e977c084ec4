import { chownSync, copyFileSync, existsSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { accountFor } from '@muripo/embedded-postgres/account'
import { findBinaries } from '@muripo/embedded-postgres/binaries'
import { freePort } from '@muripo/rig/listen'
import pg from 'pg'
import { withClient } from '../../scripts/lib/postgres.ts'
import { repository } from '../../scripts/lib/repository.ts'
import { type BackupTool, runProgram } from './backup-tool.ts'

const debianServer = () => globSync('/usr/lib/postgresql/*/bin/postgres').sort().at(-1)

export const missingForPgBackRest = (): string[] => [
  ...(existsSync('/usr/bin/pgbackrest') ? [] : ['pgBackRest (apt-get install pgbackrest)']),
  ...(debianServer() ? [] : ['PostgreSQL of Debian (apt-get install postgresql)']),
]

/** A server of Debian's packages with the files of deploy/pgbackrest. The environment contains the paths. */
export async function pgBackRestTool(directory: string): Promise<BackupTool> {
  const server = await prepareServer(directory)
  const { cluster, run, pgBackRest } = server
  await initialise(server)
  await server.start()
  const owner = server.address('muripo_owner', 'muripo')
  await createDatabase(server.address('muripo_owner', 'postgres'))
  await pgBackRest('stanza-create')
  await pgBackRest('check')
  await pgBackRest('--type=full', 'backup')

  const dataDir = path.join(directory, 'data')
  mkdirSync(dataDir)
  return {
    environment: { DATABASE_URL: server.address('muripo_serving', 'muripo'), MIGRATE_DATABASE_URL: owner },
    dataDir,
    databaseUrl: owner,
    // The full backup is that of the empty database.
    backUp: () => pgBackRest('--type=incr', 'backup'),
    async destroy() {
      await run('pg_ctl', 'stop', '-D', cluster, '-m', 'immediate', '-w', '-s')
      rmSync(cluster, { recursive: true })
      server.makeDirectory('cluster')
    },
    async restore(to) {
      const target = to.toISOString().replace('T', ' ').replace('Z', '+00')
      await pgBackRest('--type=time', `--target=${target}`, '--target-action=promote', 'restore')
      await server.start()
      await untilPromoted(owner)
    },
    async stop() {
      if (existsSync(path.join(cluster, 'postmaster.pid')))
        await run('pg_ctl', 'stop', '-D', cluster, '-m', 'fast', '-w', '-s')
    },
  }
}

type Server = Awaited<ReturnType<typeof prepareServer>>

/** The directories of a server and of pgBackRest, and their programs under the account of PostgreSQL. */
async function prepareServer(directory: string) {
  const binaries = path.dirname(debianServer() ?? '')
  const cluster = path.join(directory, 'cluster')
  const port = await freePort()
  const { uid, gid } = await accountFor(cluster, await findBinaries())
  const account = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
  const makeDirectory = (name: string): string => {
    const made = path.join(directory, name)
    mkdirSync(made, { mode: 0o700 })
    if (uid !== undefined && gid !== undefined) chownSync(made, uid, gid)
    return made
  }
  const copy = (name: string): string => {
    copyFileSync(path.join(repository, 'deploy/pgbackrest', name), path.join(directory, name))
    return path.join(directory, name)
  }
  const socket = makeDirectory('socket')
  const env = {
    PATH: `${binaries}:/usr/bin:/bin`,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    PGBACKREST_CONFIG: copy('pgbackrest.conf'),
    PGBACKREST_PG1_PATH: cluster,
    PGBACKREST_PG1_PORT: String(port),
    PGBACKREST_PG1_SOCKET_PATH: socket,
    PGBACKREST_PG1_USER: 'muripo_owner',
    PGBACKREST_PG1_DATABASE: 'postgres',
    PGBACKREST_REPO1_PATH: makeDirectory('repository'),
    PGBACKREST_LOG_PATH: makeDirectory('log'),
    PGBACKREST_LOCK_PATH: makeDirectory('lock'),
    PGBACKREST_SPOOL_PATH: makeDirectory('spool'),
  }
  const log = path.join(directory, 'log/postgres.log')
  const run = (program: string, ...args: string[]) => runProgram(program, args, env, account)
  makeDirectory('cluster')
  return {
    cluster,
    port,
    socket,
    archiveConf: copy('archive.conf'),
    makeDirectory,
    run,
    pgBackRest: (...args: string[]) => run('pgbackrest', '--stanza=muripo', ...args),
    start: () => run('pg_ctl', 'start', '-D', cluster, '-w', '-t', '120', '-s', '-l', log),
    address: (role: string, database: string) => `postgres://${role}@127.0.0.1:${port}/${database}`,
  }
}

async function initialise({ cluster, port, socket, archiveConf, run }: Server): Promise<void> {
  const options = ['-U', 'muripo_owner', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  await run('initdb', '-D', cluster, ...options)
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
}

const createDatabase = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('create database muripo')
    await client.query('create role muripo_serving login')
  })

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
