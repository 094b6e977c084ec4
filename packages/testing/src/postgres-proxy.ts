import type { NetConnectOpts } from 'node:net'
import { type Cutter, type Direction, type FaultProxy, startFaultProxy } from './fault-proxy.ts'

export interface PostgresProxy extends FaultProxy {
  /** Counts messages in both directions together from now on, and closes the connections after this number. */
  cutAfterMessage(count: number): void
  /** The number of those that have come through since. */
  readonly messages: number
}

/** The way to the server of an address, whose host is the directory of a socket when it begins with a slash. */
export function serverOf(databaseUrl: string): NetConnectOpts {
  const { hostname, port } = new URL(databaseUrl)
  const host = decodeURIComponent(hostname)
  return host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host, port: Number(port || 5432) }
}

/** The address of the same database, reached over TCP through a proxy on a port of this machine. */
export function throughPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

/** A connection to a PostgreSQL that can be cut between any two messages of its protocol. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  let messages = 0
  let cutAt: number | null = null

  const proxy = await startFaultProxy(serverOf(databaseUrl), () => {
    const ends: Record<Direction, (piece: Buffer) => number[]> = {
      up: messageEnds({ hasStartup: true }),
      down: messageEnds({ hasStartup: false }),
    }
    const cutter: Cutter = (direction, piece) => {
      for (const end of ends[direction](piece)) {
        messages += 1
        if (cutAt !== null && messages >= cutAt) {
          cutAt = null
          return end
        }
      }
      return null
    }
    return cutter
  })
  return {
    get port() {
      return proxy.port
    },
    get cuts() {
      return proxy.cuts
    },
    get gone() {
      return proxy.gone
    },
    get swallowed() {
      return proxy.swallowed
    },
    get messages() {
      return messages
    },
    set: (fault) => proxy.set(fault),
    reset: () => proxy.reset(),
    close: () => proxy.close(),
    cutAfterMessage(count) {
      messages = 0
      cutAt = count
    },
  }
}

/** Where in each piece a message ends. A message is a letter and a length that counts itself; the very first one has no letter. */
function messageEnds({ hasStartup }: { hasStartup: boolean }): (piece: Buffer) => number[] {
  let stored = Buffer.alloc(0)
  let letter = hasStartup ? 0 : 1
  return (piece) => {
    const before = stored.length
    stored = Buffer.concat([stored, piece])
    const found: number[] = []
    let at = 0
    while (stored.length >= at + letter + 4) {
      const end = at + letter + stored.readUInt32BE(at + letter)
      if (end > stored.length) break
      found.push(end - before)
      at = end
      letter = 1
    }
    stored = stored.subarray(at)
    return found
  }
}
