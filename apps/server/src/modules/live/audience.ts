import type { MerchantId } from '@muripo/contract/ids'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { EventStream } from '../../platform/http/event-stream.ts'
import type { SessionCaller } from '../identity/index.ts'

const MOST_OF_A_MERCHANT = 10
const MOST_OF_A_PROCESS = 2000
const RETRY_MS = 1000
/** What was said last may take this long to leave. */
const FAREWELL_MS = 1000

/** The answer that carries a stream, as far as it matters here. */
export interface Carrier {
  once(event: 'close', listener: () => void): unknown
  destroy(): unknown
}

export interface Listener extends SessionCaller {
  readonly stream: EventStream
  /** Ends the stream, and hangs up when its reader takes no end of it. */
  dismiss(): void
}

/** Who listens in this process. */
export class Audience {
  private readonly byMerchant = new Map<MerchantId, Set<Listener>>()
  private readonly clock: Clock
  private count = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** The stream ends with its caller's token, so that whoever goes on listening shows a fresh one. */
  admit(caller: SessionCaller, carrier: Carrier): Listener {
    this.makeRoom(caller)
    const stream = new EventStream(RETRY_MS)
    const timers: NodeJS.Timeout[] = []
    const listener: Listener = {
      ...caller,
      stream,
      dismiss() {
        stream.finish()
        timers.push(setTimeout(() => carrier.destroy(), FAREWELL_MS))
      },
    }
    const leftMs = caller.tokenRefusedAt.getTime() - this.clock.now().getTime()
    timers.push(setTimeout(listener.dismiss, leftMs))
    carrier.once('close', () => {
      for (const timer of timers) clearTimeout(timer)
      this.remove(listener)
    })
    this.add(listener)
    return listener
  }

  of(merchantId: MerchantId): Listener[] {
    return [...(this.byMerchant.get(merchantId) ?? [])]
  }

  merchants(): MerchantId[] {
    return [...this.byMerchant.keys()]
  }

  everyone(): Listener[] {
    return this.merchants().flatMap((merchantId) => this.of(merchantId))
  }

  private makeRoom({ merchantId, sessionId }: SessionCaller): void {
    if (this.count >= MOST_OF_A_PROCESS) {
      throw new AppError('service_unavailable', { headers: { 'retry-after': '30' } })
    }
    const listeners = this.of(merchantId)
    if (listeners.length < MOST_OF_A_MERCHANT) return
    // A browser whose network broke comes back long before its old stream is known to be dead.
    const own = listeners.find((listener) => listener.sessionId === sessionId)
    if (!own) throw new AppError('rate_limited', { headers: { 'retry-after': '30' } })
    this.remove(own)
    own.dismiss()
  }

  private add(listener: Listener): void {
    const listeners = this.byMerchant.get(listener.merchantId) ?? new Set()
    this.byMerchant.set(listener.merchantId, listeners.add(listener))
    this.count += 1
  }

  private remove(listener: Listener): void {
    const listeners = this.byMerchant.get(listener.merchantId)
    if (!listeners?.delete(listener)) return
    if (listeners.size === 0) this.byMerchant.delete(listener.merchantId)
    this.count -= 1
  }
}
