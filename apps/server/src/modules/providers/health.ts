import { cachedFor, within } from '../../platform/async/shared-reads.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Connector, ProviderHealth } from './connector.ts'

const LIMIT_MS = 2500
const CACHED_MS = 10_000

/** Reads a provider's health, at most once in ten seconds; null for a connector that cannot read it. A failed check means down. */
export function healthReader(clock: Clock, { health }: Connector): (() => Promise<ProviderHealth>) | null {
  if (health === undefined) return null
  const check = async () => health()
  return cachedFor(clock, CACHED_MS, () => within(LIMIT_MS, check(), 'down').catch(() => 'down' as const))
}

/** The health reader of any connector. A changed account has another connector and so another reader. */
export function createHealthReaders(clock: Clock): (connector: Connector) => ReturnType<typeof healthReader> {
  const readers = new WeakMap<Connector, ReturnType<typeof healthReader>>()
  return (connector) => {
    const read = readers.get(connector) ?? healthReader(clock, connector)
    readers.set(connector, read)
    return read
  }
}

/** Whether a provider was down at its last check. The caller does not wait: it starts the next check and gets the result of the last one. */
export type DownWatch = (connector: Connector) => boolean

export function createDownWatch(clock: Clock): DownWatch {
  const readerOf = createHealthReaders(clock)
  const down = new WeakSet<Connector>()
  return (connector) => {
    void readerOf(connector)?.().then((health) =>
      health === 'down' ? down.add(connector) : down.delete(connector),
    )
    return down.has(connector)
  }
}
