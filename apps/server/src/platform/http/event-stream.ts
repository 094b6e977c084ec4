import { Readable } from 'node:stream'

/** A client with more unread data than this is disconnected. It reconnects and refetches its lists, which is less data. */
const MOST_WAITING_BYTES = 256 * 1024
/** Streams with more unread data than this count as slow, and all slow streams of the process have so much together. */
const SLOW_FROM_BYTES = 16 * 1024
const MOST_SLOW_BYTES = 16 * 1024 * 1024

const slow = new Set<EventStream>()

/** The unread data of all slow streams. A stream that its client has read is slow no more. */
function slowBytes(): number {
  let bytes = 0
  for (const stream of slow) {
    if (stream.readableLength <= SLOW_FROM_BYTES) slow.delete(stream)
    else bytes += stream.readableLength
  }
  return bytes
}

/** A response that stays open and sends server-sent events. */
export class EventStream extends Readable {
  private over = false

  /** @param retryMs the client's delay before it reconnects. It is sent at once, so that the headers are sent too */
  constructor(retryMs: number) {
    super()
    this.write(`retry: ${retryMs}\n\n`)
  }

  /** Events are pushed, so a read fetches nothing. */
  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    slow.delete(this)
    done(error)
  }

  /** @param json one line, as JSON.stringify returns it */
  event(name: string, json: string): void {
    this.write(`event: ${name}\ndata: ${json}\n\n`)
  }

  /** Sends a comment, so that proxies do not close the stream, and the client can detect a lost connection. */
  beat(): void {
    this.write(':\n\n')
  }

  finish(): void {
    if (this.over) return
    this.over = true
    this.push(null)
  }

  private write(text: string): void {
    if (this.over || this.destroyed) return
    this.push(text)
    if (this.readableLength <= SLOW_FROM_BYTES) return
    slow.add(this)
    if (this.readableLength > MOST_WAITING_BYTES || slowBytes() > MOST_SLOW_BYTES) this.destroy()
  }
}

/** Proxies must not delay the events, neither for compression nor to fill a buffer. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const
