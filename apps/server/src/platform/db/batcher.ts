/**
 * Takes whoever waits: while one batch is being written the next callers gather, and go together when it returns. With nothing under
 * way a call goes at once, so a quiet system waits for nobody and a busy one shares its commits.
 */
export interface BatcherOptions<Call, Result> {
  readonly mostCalls: number
  readonly mostFlights: number
  /** A further batch takes off beside others only when so many wait: each costs as much as some dozen calls. */
  readonly worthAnother?: number
  /** One promise for each call, in the order of the calls: one may fail or wait without its neighbours. */
  write(calls: readonly Call[]): readonly Promise<Result>[]
}

interface Waiting<Call, Result> {
  readonly call: Call
  readonly settle: (written: Promise<Result>) => void
}

export function createBatcher<Call, Result>(
  options: BatcherOptions<Call, Result>,
): (call: Call) => Promise<Result> {
  const waiting: Waiting<Call, Result>[] = []
  let flights = 0
  let isTakeOffDue = false

  const least = (): number => (flights === 0 ? 1 : (options.worthAnother ?? 1))

  // After the turn in which they came: calls that arrive together go together.
  function plan(): void {
    if (isTakeOffDue || flights >= options.mostFlights || waiting.length < least()) return
    isTakeOffDue = true
    setImmediate(takeOff)
  }

  function takeOff(): void {
    isTakeOffDue = false
    const batch = waiting.splice(0, options.mostCalls)
    flights += 1
    const written = options.write(batch.map(({ call }) => call))
    batch.forEach(({ settle }, index) => {
      settle(written[index] ?? Promise.reject(new Error('a batch has a result for each of its calls')))
    })
    void Promise.allSettled(written).then(() => {
      flights -= 1
      plan()
    })
    plan()
  }

  return (call) =>
    new Promise((settle) => {
      waiting.push({ call, settle })
      plan()
    })
}
