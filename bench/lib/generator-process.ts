/**
 * The clients: a separate process, so that its processor time is measured apart from the gateway's. Each
 * connection has one request at a time. The process implements only the part of HTTP that the gateway uses,
 * because it runs on the measured machine.
 */
import { connect, type Socket } from 'node:net'
import type { Load, LoadResult } from './generator.ts'
import * as request from './request.ts'
import { anyAmount, zipf } from './traffic.ts'

interface Connection {
  readonly port: number
  socket: Socket
  received: string
  /** Due time of the request in progress; 0 without one. */
  due: number
}

process.on('message', async (load: Load) => process.send?.(await run(load)))
process.on('disconnect', () => process.exit(0))

async function run(load: Load): Promise<LoadResult> {
  const next = load.payments ? reads(load, load.payments) : creates(load)
  const expectedStatus = load.payments ? '200' : '201'
  const latencies: number[] = []
  const refusals: Record<string, number> = {}
  const waiting: number[] = []
  let sent = 0
  let answered = 0
  let inTime = 0
  let stopped = false
  let finished = () => {}
  const whenFinished = new Promise<void>((resolve) => {
    finished = resolve
  })

  const connections = await Promise.all(Array.from({ length: load.connections }, (_, nth) => connected(nth)))
  const idle = [...connections]
  const processor = process.cpuUsage()
  const startedAt = performance.now()
  const endsAt = startedAt + load.seconds * 1000

  async function connected(nth: number): Promise<Connection> {
    const port = load.ports[nth % load.ports.length] ?? 0
    const socket = await open(port, (text) => receivedText(connection, text))
    const connection: Connection = { port, socket, received: '', due: 0 }
    return connection
  }

  function send(connection: Connection, due: number): void {
    connection.due = due
    connection.socket.write(next(sent++), 'latin1')
  }

  function receivedText(connection: Connection, chunk: string): void {
    connection.received = connection.received === '' ? chunk : connection.received + chunk
    const { received } = connection
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    if (bodyAt === 3) return
    const lengthAt = received.indexOf('content-length: ') + 16
    const length = Number(received.slice(lengthAt, received.indexOf('\r\n', lengthAt)))
    if (received.length < bodyAt + length) return
    const now = performance.now()
    const status = received.slice(9, 12)
    if (status !== expectedStatus) refusals[status] = (refusals[status] ?? 0) + 1
    else {
      // By the clock every request counts, and most of all one that waited beyond the end.
      if (now <= endsAt || load.rate !== undefined) latencies.push(now - connection.due)
      if (now <= endsAt) inTime += 1
    }
    const closes = /^connection: close\r$/im.test(received.slice(0, bodyAt))
    connection.received = ''
    connection.due = 0
    answered += 1
    if (closes) reopen(connection)
    else continueWith(connection)
  }

  /** A proxy closes the connection of a call that it refuses. */
  function reopen(connection: Connection): void {
    connection.socket.destroy()
    open(connection.port, (text) => receivedText(connection, text)).then((socket) => {
      connection.socket = socket
      continueWith(connection)
    }, fail)
  }

  function continueWith(connection: Connection): void {
    const now = performance.now()
    const due = load.rate === undefined ? now : waiting.shift()
    const continues = now < endsAt || (load.rate !== undefined && !load.isOverload)
    if (due !== undefined && continues) send(connection, due)
    else idle.push(connection)
    if (stopped && idle.length === connections.length) finished()
  }

  let ticker: NodeJS.Timeout | undefined
  if (load.rate === undefined) {
    for (const connection of idle.splice(0)) send(connection, startedAt)
  } else {
    // Open loop: requests fall due by the clock, whether or not the ones before are answered.
    const { rate } = load
    let due = 0
    ticker = setInterval(() => {
      const now = Math.min(performance.now(), endsAt)
      for (; startedAt + (due * 1000) / rate < now; due++) {
        const at = startedAt + (due * 1000) / rate
        const connection = idle.pop()
        if (connection) send(connection, at)
        else waiting.push(at)
      }
    }, 1)
  }

  await new Promise((resolve) => setTimeout(resolve, load.seconds * 1000))
  clearInterval(ticker)
  stopped = true
  const used = process.cpuUsage(processor)
  if (idle.length < connections.length) await whenFinished
  for (const { socket } of connections) socket.destroy()

  latencies.sort((a, b) => a - b)
  const percentile = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    refusals,
    perSecond: inTime / load.seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    cpuSeconds: (used.user + used.system) / 1e6,
    answered,
  }
}

/** The text of the nth request. */
type Requests = (nth: number) => string

/** Several processes have one name, as behind a proxy. */
const hostOf = (ports: readonly number[]): string => `host: 127.0.0.1:${ports[0]}`

function creates({ ports, keys, isVaried }: Load): Requests {
  const heads = keys.map((key) =>
    [
      `POST ${request.path} HTTP/1.1`,
      hostOf(ports),
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      'idempotency-key: ',
    ].join('\r\n'),
  )
  const text = (nth: number, body: string) =>
    `${heads[nth]}${request.newKey()}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const merchant = zipf(keys.length)
  return isVaried
    ? () => text(merchant(), request.bodyOf(anyAmount()))
    : (nth) => text(nth % heads.length, request.body)
}

function reads({ ports, keys }: Load, payments: readonly string[]): Requests {
  const texts = payments.map((id, nth) =>
    [`GET ${request.path}/${id} HTTP/1.1`, hostOf(ports), `authorization: Bearer ${keys[nth]}`, '\r\n'].join(
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
