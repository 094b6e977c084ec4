import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { databaseName, passwordOf, superuser } from '@muripo/embedded-postgres/roles'
import pg from 'pg'
import { startChild } from '../../scripts/lib/child.ts'
import { freePort } from '../../scripts/lib/free-port.ts'
import { repository } from '../../scripts/lib/repository.ts'

export interface Server {
  /** The directory of its socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export interface Gateway {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly database: Server
  readonly postmasterPid: number
  readonly databaseLog: string
  /** Where files may be put that vanish with it. */
  readonly directory: string
  connect(): Promise<pg.Client>
  stop(options?: { readonly keepsDirectory: boolean }): Promise<void>
}

const stopTimeoutMs = 30_000

/**
 * The real gateway process with its own PostgreSQL, on a directory that is removed with it. Its web app must be built.
 * @param settings of PostgreSQL, which take a second start
 */
export async function startGateway(
  environment: Readonly<Record<string, string>> = {},
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-bench-'))
  const gateway = await startOn(directory, environment)
  if (Object.keys(settings).length === 0) return gateway
  const sql = await gateway.connect()
  for (const [name, value] of Object.entries(settings))
    await sql.query(`alter system set ${name} = '${value}'`)
  await sql.end()
  await gateway.stop({ keepsDirectory: true })
  return startOn(directory, environment)
}

async function startOn(directory: string, environment: Readonly<Record<string, string>>): Promise<Gateway> {
  const port = await freePort()
  const child = startChild('gateway', path.join(repository, 'apps/server/src/main.ts'), {
    PATH: process.env.PATH,
    PORT: String(port),
    MURIPO_DATA: directory,
    RATE_LIMITS: '1000000',
    CALLS_PER_MINUTE_ECOCASH: 'none',
    ...environment,
  })
  const stop = async ({ keepsDirectory = false } = {}) => {
    await child.stop(stopTimeoutMs)
    if (!keepsDirectory) rmSync(directory, { recursive: true, force: true })
  }
  try {
    child.process.send({ type: 'web-ready' })
    const url = await new Promise<string>((resolve, reject) => {
      child.process.on('message', (message: { type: string; url?: string; message?: string }) => {
        if (message.type === 'ready') resolve(`http://127.0.0.1:${port}`)
        if (message.type === 'fatal') reject(new Error(message.message))
      })
      void child.ended.then(() => reject(new Error('the gateway ended before it was ready')))
    })
    const postmaster = findPostmaster(path.join(directory, 'postgres'))
    if (!postmaster) throw new Error('the database ended before the gateway was ready')
    const database: Server = {
      host: postmaster.host,
      port: postmaster.port,
      user: superuser,
      password: passwordOf(directory, superuser),
      database: databaseName,
    }
    return {
      url,
      port,
      pid: child.process.pid ?? 0,
      database,
      postmasterPid: postmaster.pid,
      databaseLog: path.join(directory, 'postgres.log'),
      directory,
      async connect() {
        const client = new pg.Client({ ...database, application_name: 'bench' })
        client.on('error', () => undefined)
        await client.connect()
        return client
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
