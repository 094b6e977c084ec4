import type { Database } from '../db/database.ts'
import { type Listener, listen } from '../db/listen.ts'
import { advisoryLocks, channels } from '../db/locks-and-channels.ts'
import type { Log } from '../log.ts'
import { masterKeyId } from './key-ring.ts'
import type { Keys } from './keys.ts'
import { activeKey, loadKeys } from './root-secret.ts'

const RETRY_MS = 1000

export interface LiveKeys {
  readonly keys: Keys
  /** The reason why this process cannot decrypt new values; null when it can. */
  error(): string | null
  close(): Promise<void>
}

/**
 * The keys of a running process. Locks show its master keys to the command that makes another one active, and that change is followed.
 * @throws MasterKeyError
 */
export async function openLiveKeys(
  databaseUrl: string,
  db: Database,
  masterKeys: readonly Buffer[],
  log: Log,
): Promise<LiveKeys> {
  let keys: Keys | null = null
  let missing: string | null = null
  let retry: NodeJS.Timeout | undefined
  let closed = false

  async function follow(): Promise<void> {
    if (keys === null || closed) return
    try {
      const active = await activeKey(db.kysely)
      const { ring } = keys
      if (ring.activeId === active.activeId) return
      if (ring.has(active.activeId)) ring.setActive(active)
      missing = ring.has(active.activeId) ? null : `the master key ${active.activeId} is missing`
      if (missing === null) log.info({ id: active.activeId }, 'another master key is active')
      else log.error({ id: active.activeId }, 'this process does not have the active master key')
    } catch (error) {
      log.warn({ err: error }, 'the active master key could not be read')
      clearTimeout(retry)
      if (!closed) retry = setTimeout(() => void follow(), RETRY_MS)
    }
  }

  const listener: Listener = await listen(
    databaseUrl,
    channels.masterKeyChanged,
    {
      onMessage: () => void follow(),
      missed: () => void follow(),
      connected: (session) =>
        session.query('select pg_advisory_lock_shared($1, hashtext(id)) from unnest($2::text[]) as id', [
          advisoryLocks.masterKey,
          masterKeys.map(masterKeyId),
        ]),
    },
    log,
  )
  const close = async () => {
    closed = true
    clearTimeout(retry)
    await listener.close()
  }
  try {
    keys = await loadKeys(db.kysely, masterKeys)
  } catch (error) {
    await close()
    throw error
  }
  return { keys, error: () => missing, close }
}
