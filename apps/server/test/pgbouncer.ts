import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgresProxy, throughPort } from '@muripo/testing/postgres-proxy'
import pg from 'pg'

/** The program of Debian's package, or undefined. */
export const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync)

const START_TIMEOUT_MS = 20_000

/** PgBouncer before a database, with the settings of its package except for those of a test. */
export async function startPgBouncer(databaseUrl: string, mode: 'session' | 'transaction') {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-pgbouncer-'))
  chmodSync(directory, 0o755)
  // The socket of the embedded database is closed to other accounts, and PgBouncer refuses to run as root.
  const server = await startPostgresProxy(databaseUrl)
  const { username, password, pathname } = new URL(databaseUrl)
  const port = await unusedPort()
  const config = path.join(directory, 'pgbouncer.ini')
  const upstream = `host=127.0.0.1 port=${server.port} user=${username} password=${decodeURIComponent(password)}`
  writeFileSync(
    config,
    `[databases]
${pathname.slice(1)} = ${upstream}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
`,
  )
  const asOther = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn(pgbouncer ?? 'pgbouncer', ['-q', ...asOther, config], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const url = throughPort(databaseUrl, port)
  const close = async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await ended
    await server.close()
    rmSync(directory, { recursive: true })
  }
  for (const giveUpAt = performance.now() + START_TIMEOUT_MS; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return { url, close }
    } catch (error) {
      if (performance.now() < giveUpAt && child.exitCode === null) continue
      await close()
      throw error
    }
  }
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
