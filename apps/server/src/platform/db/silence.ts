import type { Socket } from 'node:net'
import pg from 'pg'

/** So long nothing has to come from a database before it is asked after. It is longer than what a session may take for a statement. */
export const SILENCE_MS = 7000
export const ASK_MS = 5000

/** What pg keeps of a session and does not tell its types. */
interface Session {
  readonly processID: number | null
  readonly connection: { readonly stream: Socket }
}

/**
 * Gives sessions up that are silent because nobody is there any more: a machine that vanished, or a network that forgot the connection,
 * says nothing, and whoever waits for it would wait for ever. One that still works is left alone, however long it takes.
 */
export function giveUpTheSilent(pool: pg.Pool, url: string, silenceMs: number): void {
  const users = new WeakMap<pg.PoolClient, symbol>()
  pool.on('acquire', (client) => {
    const user = Symbol()
    users.set(client, user)
    const { processID, connection } = client as unknown as Session
    const { stream } = connection
    stream.setTimeout(silenceMs, async function asked() {
      const isThere = await isAtWork(url, processID)
      // What was asked about somebody who has gone says nothing of whoever came after.
      if (users.get(client) !== user) return
      if (isThere) stream.setTimeout(silenceMs, asked)
      else hangUp(client)
    })
  })
  pool.on('release', (_error, client) => {
    users.delete(client)
    const { stream } = (client as unknown as Session).connection
    stream.setTimeout(0)
    stream.removeAllListeners('timeout')
  })
}

/** Without a farewell, for nobody would answer it. */
export const hangUp = (client: pg.ClientBase): void => {
  ;(client as unknown as Session).connection.stream.destroy()
}

/** Asked over a connection of its own. */
async function isAtWork(url: string, processId: number | null): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ASK_MS,
    query_timeout: ASK_MS,
    application_name: 'muripo: asks after a silent session',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // No time-out of the server ends the wait for a synchronous standby. Cancelled, it comes back as a commit that is not replicated.
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
