import type { Socket } from 'node:net'
import pg from 'pg'

/** The silence of a session after which the watchdog checks it: longer than the time-out of a statement. */
export const CHECK_AFTER_MS = 7000
export const CHECK_TIMEOUT_MS = 5000

/** Members of a pg client that its types leave out. */
interface Session {
  readonly processID: number | null
  readonly connection: { readonly stream: Socket }
}

/**
 * Destroys the connections of sessions that no longer exist on the server: a machine that vanished, or a network that dropped the
 * connection, sends nothing, and the caller would wait for ever. A session that still works is kept, however long it takes.
 */
export function destroySilentConnections(pool: pg.Pool, url: string, watchdogMs: number): void {
  const users = new WeakMap<pg.PoolClient, symbol>()
  pool.on('acquire', (client) => {
    const user = Symbol()
    users.set(client, user)
    const { processID, connection } = client as unknown as Session
    const { stream } = connection
    stream.setTimeout(watchdogMs, async function check() {
      const isAlive = await isActive(url, processID)
      // Another caller has acquired the session meanwhile, and the answer is outdated.
      if (users.get(client) !== user) return
      if (isAlive) stream.setTimeout(watchdogMs, check)
      else destroyConnection(client)
    })
  })
  pool.on('release', (_error, client) => {
    users.delete(client)
    const { stream } = (client as unknown as Session).connection
    stream.setTimeout(0)
    stream.removeAllListeners('timeout')
  })
}

/** The connection is destroyed without the protocol's terminate message, which no server would read. */
export const destroyConnection = (client: pg.ClientBase): void => {
  ;(client as unknown as Session).connection.stream.destroy()
}

/** Queries the session's state over a connection of its own. */
async function isActive(url: string, processId: number | null): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CHECK_TIMEOUT_MS,
    query_timeout: CHECK_TIMEOUT_MS,
    application_name: 'muripo: connection watchdog',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // No time-out of the server ends the wait for a synchronous standby. A cancellation ends it, with a commit that is not replicated.
    const { rows } = await client.query(
      `select case wait_event when 'SyncRep' then pg_cancel_backend(pid) end
       from pg_stat_activity where pid = $1 and state <> 'idle'`,
      [processId],
    )
    return rows.length > 0
  } catch {
    return false
  } finally {
    void client.end().catch(() => undefined)
  }
}
