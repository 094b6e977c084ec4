import type pg from 'pg'
import type { Clock } from '../clock.ts'
import type { Database } from './database.ts'

/** The signature that pg and kysely call: a text or a config, values, and perhaps a callback. */
type Query = (...given: unknown[]) => unknown

/**
 * Makes `muripo_now()` follow a clock of the caller on every session of a database: for tests, and for programs that create demonstration
 * data at earlier dates. A gateway never calls it.
 */
export function simulateTime<D extends Pick<Database, 'pool'>>(database: D, clock: Clock): D {
  database.pool.on('connect', (client) => follow(client, clock))
  return database
}

function follow(client: pg.PoolClient, clock: Clock): void {
  const query = client.query.bind(client) as Query
  let timeSet = ''
  let isInTransaction = false
  // PostgreSQL reverts a setting of a transaction that is rolled back.
  let wasSetInTransaction = false

  const trackTransaction = (text: string): void => {
    if (/^begin|^start transaction/i.test(text)) isInTransaction = true
    if (!/^(commit|rollback)/i.test(text)) return
    if (wasSetInTransaction) timeSet = ''
    isInTransaction = false
    wasSetInTransaction = false
  }
  const setTime = async (now: string): Promise<void> => {
    timeSet = now
    wasSetInTransaction = isInTransaction
    // A failed transaction accepts no setting.
    await (query(`set muripo.now = '${now}'`) as Promise<unknown>).catch(() => {
      timeSet = ''
    })
  }
  const followed: Query = (...given) => {
    const [first] = given
    const text = typeof first === 'string' ? first : ((first as { text?: unknown }).text ?? '')
    trackTransaction(String(text))
    const now = clock.now().toISOString()
    const isOwn = typeof text === 'string' && !/^(begin|start transaction|commit|rollback)/i.test(text)
    if (now === timeSet || !isOwn) return query(...given)
    const callback = given.at(-1)
    if (typeof callback !== 'function') return setTime(now).then(() => query(...given))
    void setTime(now).then(() => query(...given))
    return undefined
  }
  client.query = followed as typeof client.query
}
