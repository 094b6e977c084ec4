/** The classes of calls, in the order in which a provider's budget serves them. */
export const callClasses = ['charge', 'refund', 'callback', 'schedule', 'watch'] as const
export type CallClass = (typeof callClasses)[number]

/**
 * The calls that a provider still allows: a bucket that fills with time. level: calls that may be made now. Times are in milliseconds of the
 * database's clock.
 */
export interface Bucket {
  readonly level: number
  readonly filledAt: number
  readonly pausedUntil: number
}

export type CallCounts = Readonly<Record<CallClass, number>>

/** A tenth of the limit may be used at once, and the rest in the course of a minute: together never more than the limit in any minute. */
const BURST = 0.1

/** The part of the bucket that calls of a class leave to the classes before them. */
const reserved: CallCounts = { charge: 0, refund: 0.1, callback: 0.2, schedule: 0.4, watch: 0.7 }

export const capacityOf = (callsPerMinute: number): number => Math.max(1, callsPerMinute * BURST)
const perMs = (callsPerMinute: number): number => (callsPerMinute * (1 - BURST)) / 60_000

export const levelAt = (bucket: Bucket, callsPerMinute: number, now: number): number =>
  Math.min(
    capacityOf(callsPerMinute),
    bucket.level + Math.max(0, now - bucket.filledAt) * perMs(callsPerMinute),
  )

const floorOf = (of: CallClass, callsPerMinute: number): number =>
  reserved[of] * (capacityOf(callsPerMinute) - 1)

/** A level is a sum of many small parts. */
const ROUNDING = 1e-6

/** The calls of a class that a level allows. */
export const roomAt = (level: number, of: CallClass, callsPerMinute: number): number =>
  Math.max(0, Math.floor(level - floorOf(of, callsPerMinute) + ROUNDING))

/** Grants calls: those of an earlier class first. */
export function grant(
  bucket: Bucket,
  callsPerMinute: number,
  demand: CallCounts,
  now: number,
): { readonly granted: CallCounts; readonly bucket: Bucket } {
  let level = levelAt(bucket, callsPerMinute, now)
  const granted = { charge: 0, refund: 0, callback: 0, schedule: 0, watch: 0 }
  if (now >= bucket.pausedUntil) {
    for (const each of callClasses) {
      granted[each] = Math.min(demand[each], roomAt(level, each, callsPerMinute))
      level = Math.max(0, level - granted[each])
    }
  }
  return { granted, bucket: { ...bucket, level, filledAt: Math.max(now, bucket.filledAt) } }
}

/** The time until the bucket allows one call of this class, if nothing else is called. */
export function waitMs(bucket: Bucket, callsPerMinute: number, of: CallClass, now: number): number {
  const missing = floorOf(of, callsPerMinute) + 1 - levelAt(bucket, callsPerMinute, now)
  return Math.max(0, bucket.pausedUntil - now, Math.ceil(missing / perMs(callsPerMinute)))
}
