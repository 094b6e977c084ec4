import { Readable } from 'node:stream'

/** A client with more unread data than this is disconnected. It reconnects and refetches its lists, which is less data. */
const MOST_WAITING_BYTES = 256 * 1024

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
    if (this.readableLength > MOST_WAITING_BYTES) this.destroy()
  }
}

/** Proxies must not delay the events, neither for compression nor to fill a buffer. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const
