import type { Socket } from 'node:net'
import pg from 'pg'

/** So long nothing has to come from a database before it is asked after. It is longer than what a session may take for a statement. */
export const SILENCE_MS = 7000
const ASK_MS = 5000

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
  pool.on('acquire', (client) => {
    const { processID, connection } = client as unknown as Session
    const { stream } = connection
    stream.setTimeout(silenceMs, async function asked() {
      if (await isAtWork(url, processID)) stream.setTimeout(silenceMs, asked)
      else stream.destroy()
    })
  })
  pool.on('release', (_error, client) => {
    const { stream } = (client as unknown as Session).connection
    stream.setTimeout(0)
    stream.removeAllListeners('timeout')
  })
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
    const { rows } = await client.query("select from pg_stat_activity where pid = $1 and state <> 'idle'", [
      processId,
    ])
    return rows.length > 0
  } catch {
    return false
  } finally {
    void client.end().catch(() => undefined)
  }
}
