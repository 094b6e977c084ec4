import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to the gateway that can be slow, and that can break. */
export interface Line {
  /** The gateway's address over this line. */
  readonly url: string
  /** From now on so many bytes come in a second. */
  slow(bytesPerSecond: number): void
  /** Breaks every connection of this moment. */
  cut(): void
  close(): Promise<void>
}

export async function openLine(gatewayUrl: string): Promise<Line> {
  const { hostname, port } = new URL(gatewayUrl)
  const sockets = new Set<Socket>()
  let bytesPerMs = Number.POSITIVE_INFINITY

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
        other.destroy()
      })
    }
    caller.pipe(gateway)
    gateway.on('data', (bytes) => {
      caller.write(bytes)
      gateway.pause()
      setTimeout(() => gateway.resume(), bytes.length / bytesPerMs)
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
    slow(bytesPerSecond) {
      bytesPerMs = bytesPerSecond / 1000
    },
    cut,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
