import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startChild } from '../../scripts/lib/child.ts'
import { repository } from '../../scripts/lib/repository.ts'

export interface Server {
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
  stop(): Promise<void>
}

const stopPatienceMs = 30_000

/** The real gateway process with its own PostgreSQL, on a directory that is removed with it. Its web app must be built. */
export async function startGateway(environment: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-bench-'))
  const port = await freePort()
  const child = startChild('gateway', path.join(repository, 'apps/server/src/main.ts'), {
    PATH: process.env.PATH,
    PORT: String(port),
    MURIPO_DATA: directory,
    RATE_LIMITS: '1000000',
    ...environment,
  })
  const stop = async () => {
    await child.stop(stopPatienceMs)
    rmSync(directory, { recursive: true, force: true })
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
    const [pid, , , databasePort] = readFileSync(
      path.join(directory, 'postgres/postmaster.pid'),
      'utf8',
    ).split('\n')
    const database: Server = {
      host: '127.0.0.1',
      port: Number(databasePort),
      user: 'muripo',
      password: readFileSync(path.join(directory, 'postgres.password'), 'utf8').trim(),
      database: 'muripo',
    }
    return {
      url,
      port,
      pid: child.process.pid ?? 0,
      database,
      postmasterPid: Number(pid),
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
