import { CircuitState, type IBreaker } from 'cockatiel'

const WINDOW_MS = 30_000
/** Failed calls within the window before the breaker may open. */
const LEAST_FAILURES = 5
/** The number of calls that are stored; older ones are dropped first. */
const ENTRIES_MAX = 1000

interface Call {
  readonly accountId: string
  readonly isFailure: boolean
  readonly at: number
}

/**
 * Opens when the calls of most merchants within half a minute mostly failed. One merchant whose payments make the provider fail, for
 * example by a description that a firewall refuses, does not stop the provider for the others.
 */
export class MerchantBreaker implements IBreaker {
  /** cockatiel stores a breaker's state here; this breaker has no state to pass on. */
  state: unknown = null
  private calls: Call[] = []
  private readonly now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Records a call before cockatiel asks for its result. */
  record(accountId: string, isFailure: boolean): void {
    this.calls.push({ accountId, isFailure, at: this.now() })
    if (this.calls.length > ENTRIES_MAX) this.calls.shift()
  }

  success(): void {
    // The record contains a success already.
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
