/** The upper ends of the ranges of durations, in milliseconds; the last range has none. */
export const latencyRangesMs = [100, 250, 500, 1000, 2500, 5000, 10_000, 30_000] as const

/**
 * Counters of the calls to a provider. completed, declined: results of charges. failed: calls without a trustworthy answer. busy: calls that the
 * provider refused for their number. blocked: calls that were not made because the last ones had failed. latency: calls by duration.
 */
export interface CallFigures {
  readonly calls: number
  readonly completed: number
  readonly declined: number
  readonly failed: number
  readonly busy: number
  readonly blocked: number
  readonly latency: readonly number[]
}

const counters = ['calls', 'completed', 'declined', 'failed', 'busy', 'blocked'] as const

export const noFigures: CallFigures = {
  calls: 0,
  completed: 0,
  declined: 0,
  failed: 0,
  busy: 0,
  blocked: 0,
  latency: Array.from({ length: latencyRangesMs.length + 1 }, () => 0),
}

export const sumOf = (a: CallFigures, b: CallFigures): CallFigures => ({
  ...(Object.fromEntries(counters.map((name) => [name, a[name] + b[name]])) as Record<
    (typeof counters)[number],
    number
  >),
  latency: a.latency.map((count, index) => count + (b.latency[index] ?? 0)),
})

export type CallResult = 'answered' | 'completed' | 'declined' | 'failed' | 'busy' | 'blocked'

/** One call. A blocked call was not made and has no duration. */
export function figuresOf(result: CallResult, durationMs: number): CallFigures {
  if (result === 'blocked') return { ...noFigures, blocked: 1 }
  const range = latencyRangesMs.findIndex((end) => durationMs <= end)
  const index = range < 0 ? latencyRangesMs.length : range
  return {
    ...noFigures,
    calls: 1,
    ...(result !== 'answered' && { [result]: 1 }),
    latency: noFigures.latency.map((_, at) => Number(at === index)),
  }
}

/** The duration that this part of the calls did not exceed: the end of its range; null without calls, Infinity in the last range. */
export function latencyAt({ latency }: CallFigures, part: number): number | null {
  const all = latency.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let below = 0
  const index = latency.findIndex((count) => {
    below += count
    return below >= all * part
  })
  return latencyRangesMs[index] ?? Number.POSITIVE_INFINITY
}

/** Calls within the window before a provider may count as degraded. */
const LEAST_CALLS = 5

/** The health of a provider by the calls of the last minutes. */
export function healthFrom({ calls, failed, blocked }: CallFigures): 'operational' | 'degraded' | 'down' {
  if (blocked > 0 && failed >= calls) return 'down'
  const isDegraded = calls >= LEAST_CALLS && failed > calls / 2
  return blocked > 0 || isDegraded ? 'degraded' : 'operational'
}
