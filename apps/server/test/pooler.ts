import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { serverOf, throughPort } from '@muripo/testing/postgres-proxy'

const NOTIFICATION = 'A'

export interface PoolerFaults {
  /** Dropped as by a pooler that shares sessions: the client that listens does not own the session. */
  notifications: 'delivered' | 'dropped'
  /** The treatment of the start-up parameter with the session settings. */
  readonly options?: 'passed on' | 'dropped'
}

/** A proxy to PostgreSQL that drops what a connection pooler in transaction mode drops. */
export async function startPooler(databaseUrl: string, faults: PoolerFaults) {
  const target = serverOf(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = dial(target)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
    client.pipe(messages(true, withoutOptions)).pipe(database)
    database.pipe(messages(false, withoutNotifications)).pipe(client)
  })
  const withoutOptions = (message: Buffer, isFirst: boolean): Buffer | null =>
    isFirst && faults.options === 'dropped' ? startUpWithout('options', message) : message
  let delivered = 0
  let dropped = 0
  const withoutNotifications = (message: Buffer): Buffer | null => {
    if (message[0] !== NOTIFICATION.charCodeAt(0)) return message
    if (faults.notifications === 'dropped') {
      dropped += 1
      return null
    }
    delivered += 1
    return message
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: throughPort(databaseUrl, (server.address() as AddressInfo).port),
    faults,
    /** The number of notifications that clients were sent. */
    delivered: () => delivered,
    dropped: () => dropped,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Passes on the messages of one direction. The first message of a client has a length and no type. */
function messages(isFromClient: boolean, pass: (message: Buffer, isFirst: boolean) => Buffer | null) {
  let buffered = Buffer.alloc(0)
  let isFirst = isFromClient
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      buffered = Buffer.concat([buffered, piece])
      for (;;) {
        const letter = isFirst ? 0 : 1
        if (buffered.length < letter + 4) break
        const end = letter + buffered.readUInt32BE(letter)
        if (buffered.length < end) break
        const passed = pass(buffered.subarray(0, end), isFirst)
        if (passed) this.push(passed)
        buffered = buffered.subarray(end)
        isFirst = false
      }
      done()
    },
  })
}

function startUpWithout(name: string, message: Buffer): Buffer {
  const texts = message.subarray(8, -1).toString('utf8').split('\0').slice(0, -1)
  const buffered = texts.flatMap((text, at) =>
    at % 2 === 0 && text !== name ? [text, texts[at + 1] ?? ''] : [],
  )
  const body = Buffer.from([...buffered, ''].map((text) => `${text}\0`).join(''))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length, 0)
  message.copy(head, 4, 4, 8)
  return Buffer.concat([head, body])
}
