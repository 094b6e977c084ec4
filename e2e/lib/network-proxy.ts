import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeServer, listen } from '@muripo/rig/listen'

/** A mobile network of the second generation. */
export const secondGeneration = { bytesPerSecond: 35_000, roundTripMs: 800, loss: 0.05 }

/** After the loss of a packet, TCP sends it again after about this many round trips. */
const RESEND_ROUND_TRIPS = 1.5

/** A proxy before the gateway, whose connections can be slow, stall and break. */
export interface NetworkProxy {
  /** The gateway's address through this proxy. */
  readonly url: string
  /** Lets each connection transfer about this many more bytes, and then stall. */
  stallAfter(bytes: number): void
  /** Gives new connections the speed and latency of a slow network. A lost packet arrives late. */
  throttle(network: typeof secondGeneration): void
  /** The number of bytes that the gateway has sent through this proxy. */
  receivedBytes(): number
  /** Ends the stall of all connections. */
  release(): void
  /** Breaks all open connections. */
  breakConnections(): void
  close(): Promise<void>
}

export async function openNetworkProxy(gatewayUrl: string): Promise<NetworkProxy> {
  const { hostname, port } = new URL(gatewayUrl)
  const sockets = new Set<Socket>()
  const carried = new Map<Socket, number>()
  let allowed = Number.POSITIVE_INFINITY
  let network: typeof secondGeneration | null = null
  let received = 0
  let packets = 0

  /** Delivers bytes in their order: after those before them, half a round trip, and the repetition of a lost packet. */
  function delivery(): (deliver: () => void, bytes: number) => void {
    if (network === null) return (deliver) => deliver()
    const { bytesPerSecond, roundTripMs, loss } = network
    // The handshake of the connection.
    let freeAt = performance.now() + roundTripMs
    // A busy process may fire a later timer before an earlier one, so each delivery waits for the one before it.
    let delivered = Promise.resolve()
    return (deliver, bytes) => {
      freeAt = Math.max(freeAt, performance.now()) + (bytes / bytesPerSecond) * 1000
      packets += 1
      const isLost = packets % Math.round(1 / loss) === 0
      const at = freeAt + roundTripMs / 2 + (isLost ? RESEND_ROUND_TRIPS * roundTripMs : 0)
      delivered = delivered.then(() => sleep(Math.max(0, at - performance.now()))).then(deliver)
    }
  }

  function forward(caller: Socket): void {
    const gateway = connect(Number(port), hostname)
    const [toGateway, toCaller] = [delivery(), delivery()]
    for (const [socket, other, toOther] of [
      [caller, gateway, toGateway],
      [gateway, caller, toCaller],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        carried.delete(socket)
        toOther(() => other.destroy(), 0)
      })
    }
    caller.on('data', (bytes) => toGateway(() => gateway.write(bytes), bytes.length))
    caller.on('end', () => toGateway(() => gateway.end(), 0))
    gateway.on('data', (bytes) => {
      received += bytes.length
      toCaller(() => caller.write(bytes), bytes.length)
      const brought = (carried.get(gateway) ?? 0) + bytes.length
      carried.set(gateway, brought)
      if (brought >= allowed) gateway.pause()
    })
    gateway.on('end', () => toCaller(() => caller.end(), 0))
  }

  const server = createServer(forward)
  const breakConnections = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    url: await listen(server),
    stallAfter(bytes) {
      carried.clear()
      allowed = bytes
    },
    throttle(figures) {
      network = figures
    },
    receivedBytes: () => received,
    release() {
      allowed = Number.POSITIVE_INFINITY
      for (const gateway of carried.keys()) gateway.resume()
    },
    breakConnections,
    async close() {
      breakConnections()
      await closeServer(server)
    },
  }
}
