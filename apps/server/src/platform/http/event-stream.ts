import { Readable } from 'node:stream'

/** A reader for whom more than this has to wait is dropped. It comes back and asks its lists, which is less than what waited. */
const MOST_WAITING_BYTES = 256 * 1024

/** An answer that stays open and says what happens, as server-sent events. */
export class EventStream extends Readable {
  private over = false

  /** `retryMs`: how long the reader waits before it comes back. It is said at once, so that the answer's head leaves. */
  constructor(retryMs: number) {
    super()
    this.say(`retry: ${retryMs}\n\n`)
  }

  /** Nothing is fetched for a reader: what there is to say comes by itself. */
  override _read(): void {}

  /** `json` is of one line, as JSON.stringify writes it. */
  event(name: string, json: string): void {
    this.say(`event: ${name}\ndata: ${json}\n\n`)
  }

  /** Keeps what stands in between from taking the silence for an end, and tells the reader that the stream still lives. */
  beat(): void {
    this.say(':\n\n')
  }

  finish(): void {
    if (this.over) return
    this.over = true
    this.push(null)
  }

  private say(text: string): void {
    if (this.over || this.destroyed) return
    this.push(text)
    if (this.readableLength > MOST_WAITING_BYTES) this.destroy()
  }
}

/** Nothing in between may keep the events back, be it to compress them or to fill a buffer. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const
