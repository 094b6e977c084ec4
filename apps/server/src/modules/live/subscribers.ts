import type { MerchantId } from '@muripo/contract/ids'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { EventStream } from '../../platform/http/event-stream.ts'
import type { SessionCaller } from '../identity/index.ts'

const MOST_OF_A_PERSON = 10
/** All members of a team together: a merchant cannot use up the streams of a process. */
const MOST_OF_A_MERCHANT = 200
const MOST_OF_A_PROCESS = 2000
const RETRY_MS = 1000
/** The time for the last event to be sent. */
const FLUSH_MS = 1000

/** The part of an HTTP response that a stream needs. */
export interface Carrier {
  once(event: 'close', subscriber: () => void): unknown
  destroy(): unknown
}

/** The session whose stream it is. */
export type StreamCaller = Pick<
  SessionCaller,
  'merchantId' | 'personId' | 'sessionId' | 'applications' | 'tokenRefusedAt'
>

export interface Subscriber extends StreamCaller {
  readonly stream: EventStream
  /** Ends the stream, and destroys the connection when its reader does not take the end. */
  dismiss(): void
}

/** The open streams of this process. */
export class Subscribers {
  private readonly byMerchant = new Map<MerchantId, Set<Subscriber>>()
  private readonly clock: Clock
  private count = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** The stream ends with its caller's token, so a client that continues sends a fresh one. */
  admit(caller: StreamCaller, carrier: Carrier): Subscriber {
    this.makeRoom(caller)
    const stream = new EventStream(RETRY_MS)
    const timers: NodeJS.Timeout[] = []
    const subscriber: Subscriber = {
      ...caller,
      stream,
      dismiss() {
        stream.finish()
        timers.push(setTimeout(() => carrier.destroy(), FLUSH_MS))
      },
    }
    const leftMs = caller.tokenRefusedAt.getTime() - this.clock.now().getTime()
    timers.push(setTimeout(subscriber.dismiss, leftMs))
    carrier.once('close', () => {
      for (const timer of timers) clearTimeout(timer)
      this.remove(subscriber)
    })
    this.add(subscriber)
    return subscriber
  }

  of(merchantId: MerchantId): Subscriber[] {
    return [...(this.byMerchant.get(merchantId) ?? [])]
  }

  merchants(): MerchantId[] {
    return [...this.byMerchant.keys()]
  }

  all(): Subscriber[] {
    return this.merchants().flatMap((merchantId) => this.of(merchantId))
  }

  private makeRoom({ merchantId, personId, sessionId }: StreamCaller): void {
    if (this.count >= MOST_OF_A_PROCESS) {
      throw new AppError('service_unavailable', { headers: { 'retry-after': '30' } })
    }
    const ofMerchant = this.of(merchantId)
    const ofPerson = ofMerchant.filter((subscriber) => subscriber.personId === personId)
    if (ofPerson.length < MOST_OF_A_PERSON && ofMerchant.length < MOST_OF_A_MERCHANT) return
    // A browser whose network broke reconnects long before its old stream is known to be lost.
    const own = ofPerson.find((subscriber) => subscriber.sessionId === sessionId)
    if (!own) throw new AppError('rate_limited', { headers: { 'retry-after': '30' } })
    this.remove(own)
    own.dismiss()
  }

  private add(subscriber: Subscriber): void {
    const ofMerchant = this.byMerchant.get(subscriber.merchantId) ?? new Set()
    this.byMerchant.set(subscriber.merchantId, ofMerchant.add(subscriber))
    this.count += 1
  }

  private remove(subscriber: Subscriber): void {
    const ofMerchant = this.byMerchant.get(subscriber.merchantId)
    if (!ofMerchant?.delete(subscriber)) return
    if (ofMerchant.size === 0) this.byMerchant.delete(subscriber.merchantId)
    this.count -= 1
  }
}
