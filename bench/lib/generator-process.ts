/**
 * The clients: a separate process, so that its processor time is measured apart from the gateway's. Each
 * connection has one request at a time. The process implements only the part of HTTP that the gateway uses,
 * because it runs on the measured machine.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Load, LoadResult } from './generator.ts'
import { percentile } from './statistics.ts'
import { anyAmount, newIdempotencyKey, orderBody, orderOfAmount, paymentsPath, zipf } from './traffic.ts'

interface Connection {
  readonly port: number
  socket: Socket
  received: string
  /** Due time of the request in progress; 0 without one. */
  due: number
}

process.on('message', async (load: Load) => process.send?.(await new LoadRun(load).run()))
process.on('disconnect', () => process.exit(0))

class LoadRun {
  private readonly load: Load
  private readonly next: Requests
  private readonly expectedStatus: string
  private readonly latencies: number[] = []
  private readonly refusals: Record<string, number> = {}
  /** Due times of requests that wait for a connection. */
  private readonly waiting: number[] = []
  private connections: readonly Connection[] = []
  private idle: Connection[] = []
  private startedAt = 0
  private endsAt = 0
  private sent = 0
  private answered = 0
  private inTime = 0
  private isStopped = false
  private readonly finished = Promise.withResolvers<void>()

  constructor(load: Load) {
    this.load = load
    this.next = load.payments ? reads(load, load.payments) : creates(load)
    this.expectedStatus = load.payments ? '200' : '201'
  }

  async run(): Promise<LoadResult> {
    const { load } = this
    this.connections = await Promise.all(
      Array.from({ length: load.connections }, (_, nth) => this.connect(nth)),
    )
    this.idle = [...this.connections]
    const processor = process.cpuUsage()
    this.startedAt = performance.now()
    this.endsAt = this.startedAt + load.seconds * 1000
    const ticker = this.begin()
    await sleep(load.seconds * 1000)
    clearInterval(ticker)
    this.isStopped = true
    const used = process.cpuUsage(processor)
    if (this.idle.length < this.connections.length) await this.finished.promise
    for (const { socket } of this.connections) socket.destroy()

    return {
      refusals: this.refusals,
      perSecond: this.inTime / load.seconds,
      p50: percentile(this.latencies, 0.5),
      p99: percentile(this.latencies, 0.99),
      cpuSeconds: (used.user + used.system) / 1e6,
      answered: this.answered,
    }
  }

  /** @returns the timer of an open loop */
  private begin(): NodeJS.Timeout | undefined {
    const { rate } = this.load
    if (rate === undefined) {
      for (const connection of this.idle.splice(0)) this.send(connection, this.startedAt)
      return undefined
    }
    // Open loop: requests become due at fixed times, whether or not earlier ones are answered.
    let due = 0
    return setInterval(() => {
      const now = Math.min(performance.now(), this.endsAt)
      for (; this.startedAt + (due * 1000) / rate < now; due++) {
        const at = this.startedAt + (due * 1000) / rate
        const connection = this.idle.pop()
        if (connection) this.send(connection, at)
        else this.waiting.push(at)
      }
    }, 1)
  }

  private async connect(nth: number): Promise<Connection> {
    const { ports } = this.load
    const port = ports[nth % ports.length] ?? 0
    const socket = await open(port, (text) => this.receive(connection, text))
    const connection: Connection = { port, socket, received: '', due: 0 }
    return connection
  }

  private send(connection: Connection, due: number): void {
    connection.due = due
    connection.socket.write(this.next(this.sent++), 'latin1')
  }

  private receive(connection: Connection, chunk: string): void {
    connection.received = connection.received === '' ? chunk : connection.received + chunk
    const { received } = connection
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    if (bodyAt === 3) return
    const lengthAt = received.indexOf('content-length: ') + 16
    const length = Number(received.slice(lengthAt, received.indexOf('\r\n', lengthAt)))
    if (received.length < bodyAt + length) return
    this.record(received.slice(9, 12), connection.due)
    const closes = /^connection: close\r$/im.test(received.slice(0, bodyAt))
    connection.received = ''
    connection.due = 0
    this.answered += 1
    if (closes) this.reopen(connection)
    else this.continueWith(connection)
  }

  private record(status: string, due: number): void {
    if (status !== this.expectedStatus) {
      this.refusals[status] = (this.refusals[status] ?? 0) + 1
      return
    }
    const now = performance.now()
    // In an open loop every request counts, also one that waited beyond the end.
    if (now <= this.endsAt || this.load.rate !== undefined) this.latencies.push(now - due)
    if (now <= this.endsAt) this.inTime += 1
  }

  /** A proxy closes the connection of a call that it refuses. */
  private reopen(connection: Connection): void {
    connection.socket.destroy()
    open(connection.port, (text) => this.receive(connection, text)).then((socket) => {
      connection.socket = socket
      this.continueWith(connection)
    }, fail)
  }

  private continueWith(connection: Connection): void {
    const { rate, isOverload } = this.load
    const now = performance.now()
    const due = rate === undefined ? now : this.waiting.shift()
    const continues = now < this.endsAt || (rate !== undefined && !isOverload)
    if (due !== undefined && continues) this.send(connection, due)
    else this.idle.push(connection)
    if (this.isStopped && this.idle.length === this.connections.length) this.finished.resolve()
  }
}

/** The text of the nth request. */
type Requests = (nth: number) => string

/** All processes have one host name, as behind a proxy. */
const hostOf = (ports: readonly number[]): string => `host: 127.0.0.1:${ports[0]}`

function creates({ ports, keys, isVaried }: Load): Requests {
  const heads = keys.map((key) =>
    [
      `POST ${paymentsPath} HTTP/1.1`,
      hostOf(ports),
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      'idempotency-key: ',
    ].join('\r\n'),
  )
  const text = (nth: number, body: string) =>
    `${heads[nth]}${newIdempotencyKey()}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const merchant = zipf(keys.length)
  return isVaried
    ? () => text(merchant(), orderOfAmount(anyAmount()))
    : (nth) => text(nth % heads.length, orderBody)
}

function reads({ ports, keys }: Load, payments: readonly string[]): Requests {
  const texts = payments.map((id, nth) =>
    [`GET ${paymentsPath}/${id} HTTP/1.1`, hostOf(ports), `authorization: Bearer ${keys[nth]}`, '\r\n'].join(
      '\r\n',
    ),
  )
  return (nth) => texts[nth % texts.length] ?? ''
}

function open(port: number, receivedText: (text: string) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.setEncoding('latin1')
    socket.on('data', receivedText)
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
    socket.once('end', () => {
      if (!socket.destroyed) fail(new Error('the gateway closed a connection'))
    })
  })
}

function fail(error: Error): never {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
