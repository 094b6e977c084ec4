import { CircuitState, type IBreaker } from 'cockatiel'

const WINDOW_MS = 30_000
/** Failed calls within the window before the breaker may open. */
const LEAST_FAILURES = 5
/** Calls that are kept at most; older ones are dropped first. */
const MOST_KEPT = 1000

interface Call {
  readonly accountId: string
  readonly isFailure: boolean
  readonly at: number
}

/**
 * Opens when most of the merchants that called a provider within half a minute had mostly failures. One merchant whose payments make
 * the provider fail, by a description that a firewall refuses for example, does not shut the provider for the others.
 */
export class MerchantBreaker implements IBreaker {
  /** cockatiel stores a breaker's state here; this one has none that a process would hand on. */
  state: unknown = null
  private calls: Call[] = []
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Notes a call before cockatiel asks what it means. */
  record(accountId: string, isFailure: boolean): void {
    this.calls.push({ accountId, isFailure, at: this.now() })
    if (this.calls.length > MOST_KEPT) this.calls.shift()
  }

  success(): void {
    // A success is in the record already.
  }

  failure(state: CircuitState): boolean {
    return state === CircuitState.HalfOpen || this.isMostlyFailing()
  }

  private isMostlyFailing(): boolean {
    const since = this.now() - WINDOW_MS
    this.calls = this.calls.filter(({ at }) => at >= since)
    if (this.calls.filter(({ isFailure }) => isFailure).length < LEAST_FAILURES) return false
    const merchants = [...Map.groupBy(this.calls, ({ accountId }) => accountId).values()]
    const failing = merchants.filter(
      (calls) => calls.filter(({ isFailure }) => isFailure).length > calls.length / 2,
    )
    return failing.length > merchants.length / 2
  }
}
