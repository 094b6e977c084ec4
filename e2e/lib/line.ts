import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection to the gateway that can stall and break. */
export interface Line {
  /** The gateway's address over this line. */
  readonly url: string
  /** From now on each connection transfers about this many bytes more, and then stalls. */
  stopAfter(bytes: number): void
  /** Lets everything through again. */
  release(): void
  /** Breaks every connection of this moment. */
  cut(): void
  close(): Promise<void>
}

export async function openLine(gatewayUrl: string): Promise<Line> {
  const { hostname, port } = new URL(gatewayUrl)
  const sockets = new Set<Socket>()
  const carried = new Map<Socket, number>()
  let allowed = Number.POSITIVE_INFINITY

  function carry(caller: Socket): void {
    const gateway = connect(Number(port), hostname)
    for (const [socket, other] of [
      [caller, gateway],
      [gateway, caller],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        carried.delete(socket)
        other.destroy()
      })
    }
    caller.pipe(gateway)
    gateway.on('data', (bytes) => {
      caller.write(bytes)
      const brought = (carried.get(gateway) ?? 0) + bytes.length
      carried.set(gateway, brought)
      if (brought >= allowed) gateway.pause()
    })
    gateway.on('end', () => caller.end())
  }

  const server = createServer(carry).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopAfter(bytes) {
      carried.clear()
      allowed = bytes
    },
    release() {
      allowed = Number.POSITIVE_INFINITY
      for (const gateway of carried.keys()) gateway.resume()
    },
    cut,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
