import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** up: from the client to the server; down: from the server to the client. */
export type Direction = 'up' | 'down'

/** Faults of a connection. No faults by default. */
export interface Fault {
  /** Each piece waits so long. */
  readonly delayMs?: number
  /** Chunks of at most this many bytes, each in a separate write. */
  readonly sliceBytes?: number
  /** After this number of bytes since the fault was set, nothing is passed on and both connections are closed. */
  readonly cutAfter?: { readonly direction: Direction; readonly bytes: number }
  /** Data is accepted and dropped silently. */
  readonly swallow?: Direction | 'both'
  /** The client receives the end of the stream after the first bytes of the response. */
  readonly halfClose?: boolean
}

export interface FaultProxy {
  readonly port: number
  /** The number of connections that were cut. */
  readonly cuts: number
  /** The number of cut connections that both ends have closed. */
  readonly gone: number
  /** The number of pieces that were swallowed since the fault was set. */
  readonly swallowed: number
  /** Applies to all further data, also on open connections. */
  set(fault: Fault): void
  /** Resets every connection, like a restarted machine. */
  reset(): void
  close(): Promise<void>
}

/**
 * Inspects the data and returns the number of bytes to forward before both ends are disconnected; null forwards
 * all of them and keeps the connection.
 */
export type Cutter = (direction: Direction, piece: Buffer) => number | null

/** A connection to a server that can be made to fail. */
export async function startFaultProxy(
  target: NetConnectOpts,
  cutterOfWire?: () => Cutter,
): Promise<FaultProxy> {
  let fault: Fault = {}
  let passed = { up: 0, down: 0 }
  let cuts = 0
  let gone = 0
  let swallowed = 0
  const open = new Set<Socket>()

  function cutByBytes(direction: Direction, piece: Buffer): number | null {
    const before = passed[direction]
    passed[direction] += piece.length
    if (fault.cutAfter?.direction !== direction) return null
    const left = fault.cutAfter.bytes - before
    return left <= piece.length ? Math.max(0, left) : null
  }

  function wire(caller: Socket): void {
    const called = dial({ ...target, allowHalfOpen: true, noDelay: true })
    const cutter = cutterOfWire?.()
    let isCut = false
    const disconnect = () => {
      cuts += 1
      // The server reads and processes the forwarded bytes; its response finds no client.
      for (const end of [caller, called]) end.end()
    }

    function forward(direction: Direction, from: Socket, to: Socket): void {
      let turn = Promise.resolve()
      const inTurn = (work: () => void | Promise<void>) => {
        turn = turn.then(work).catch(() => undefined)
      }
      from.on('data', (piece: Buffer) => {
        if (isCut) return
        if (fault.swallow === 'both' || fault.swallow === direction) {
          swallowed += 1
          return
        }
        const keep = cutter?.(direction, piece) ?? cutByBytes(direction, piece)
        isCut = keep !== null
        const { delayMs, sliceBytes = piece.length, halfClose } = fault
        inTurn(async () => {
          const whole = keep === null ? piece : piece.subarray(0, keep)
          for (let at = 0; at < whole.length; at += sliceBytes) {
            if (delayMs !== undefined) await sleep(delayMs)
            if (to.writable) to.write(whole.subarray(at, at + sliceBytes))
            if (sliceBytes < whole.length) await new Promise(setImmediate)
          }
          if (halfClose && direction === 'down') to.end()
          if (keep !== null) disconnect()
        })
      })
      from.on('end', () => inTurn(() => void to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        inTurn(() => void to.end())
      })
    }
    for (const end of [caller, called]) open.add(end)
    forward('up', caller, called)
    forward('down', called, caller)
    const bothClosed = Promise.all(
      [caller, called].map((end) => new Promise((resolve) => end.once('close', resolve))),
    )
    void bothClosed.then(() => {
      if (isCut) gone += 1
    })
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, wire)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts
    },
    get gone() {
      return gone
    },
    get swallowed() {
      return swallowed
    },
    set(next) {
      fault = next
      swallowed = 0
      passed = { up: 0, down: 0 }
    },
    reset() {
      for (const end of open) end.resetAndDestroy()
    },
    async close() {
      for (const end of open) end.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
