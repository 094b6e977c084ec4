/**
 * The classes of calls. confirmation: the look-ups after a callback, and refunds: money has moved, or is owed. schedule: the look-ups of open
 * calls. watch: the look-ups of failed calls.
 */
export const callClasses = ['charge', 'confirmation', 'schedule', 'watch'] as const
export type CallClass = (typeof callClasses)[number]

/**
 * The calls that a provider still allows, in two parts that fill with time: one for charges, and one for all other calls. Times are in
 * milliseconds of the database's clock.
 */
export interface Bucket {
  readonly charges: number
  readonly others: number
  readonly filledAt: number
  readonly pausedUntil: number
}

export type CallCounts = Readonly<Record<CallClass, number>>

/** A tenth of the limit may be used at once, and the rest in the course of a minute: together never more than the limit in any minute. */
const BURST = 0.1

/** The part of the calls that charges get when the other calls need theirs. A part that is not used goes to the other calls. */
const SHARE_OF_CHARGES = 0.4

/** A limit below this one is too small for two parts: all calls use the other calls' part, and charges follow the confirmations. */
const LEAST_SHARED = 10

/** The part of the other calls' bucket that calls of a class leave to the classes before them. */
const reserved: CallCounts = { charge: 0, confirmation: 0, schedule: 0.4, watch: 0.7 }

/** Confirmations come first, so that they also come first where the parts are one. */
const inOrder = ['confirmation', 'charge', 'schedule', 'watch'] as const satisfies readonly CallClass[]

type Capacity = Pick<Bucket, 'charges' | 'others'>

const isShared = (callsPerMinute: number): boolean => callsPerMinute >= LEAST_SHARED

export function capacityOf(callsPerMinute: number): Capacity {
  if (!isShared(callsPerMinute)) return { charges: 0, others: 1 }
  // Each part holds a whole call.
  const all = Math.max(2, callsPerMinute * BURST)
  const charges = Math.max(1, all * SHARE_OF_CHARGES)
  return { charges, others: all - charges }
}

const sizeOf = ({ charges, others }: Capacity): number => charges + others

const perMs = (callsPerMinute: number): number =>
  (isShared(callsPerMinute)
    ? callsPerMinute - sizeOf(capacityOf(callsPerMinute))
    : callsPerMinute * (1 - BURST)) / 60_000

const shareOfCharges = (callsPerMinute: number): number => (isShared(callsPerMinute) ? SHARE_OF_CHARGES : 0)

/** The bucket at a time. A part that is full flows into the other one. */
export function filled(bucket: Bucket, callsPerMinute: number, now: number): Bucket {
  const most = capacityOf(callsPerMinute)
  const inflow = Math.max(0, now - bucket.filledAt) * perMs(callsPerMinute)
  const ofCharges = inflow * shareOfCharges(callsPerMinute)
  const charges = bucket.charges + ofCharges
  const others = bucket.others + inflow - ofCharges
  return {
    ...bucket,
    charges: Math.min(most.charges, charges + Math.max(0, others - most.others)),
    others: Math.min(most.others, others + Math.max(0, charges - most.charges)),
    filledAt: now,
  }
}

const partOf = (of: CallClass, callsPerMinute: number): keyof Capacity =>
  of === 'charge' && isShared(callsPerMinute) ? 'charges' : 'others'

const floorOf = (of: CallClass, callsPerMinute: number): number =>
  reserved[of] * (capacityOf(callsPerMinute).others - 1)

/** A level is a sum of many small parts. */
const ROUNDING = 1e-6

/** The calls of a class that a bucket allows. */
export const roomIn = (bucket: Capacity, of: CallClass, callsPerMinute: number): number =>
  Math.max(0, Math.floor(bucket[partOf(of, callsPerMinute)] - floorOf(of, callsPerMinute) + ROUNDING))

/** Grants calls: charges within their part, and of the other calls those of an earlier class first. */
export function grant(
  bucket: Bucket,
  callsPerMinute: number,
  demand: CallCounts,
  now: number,
): { readonly granted: CallCounts; readonly bucket: Bucket } {
  const left = { ...filled(bucket, callsPerMinute, now) }
  const granted = { charge: 0, confirmation: 0, schedule: 0, watch: 0 }
  if (now >= bucket.pausedUntil) {
    for (const each of inOrder) {
      const part = partOf(each, callsPerMinute)
      granted[each] = Math.min(demand[each], roomIn(left, each, callsPerMinute))
      left[part] = Math.max(0, left[part] - granted[each])
    }
  }
  return { granted, bucket: left }
}

/** A time after which the bucket allows one call of this class, if nothing else is called. */
export function waitMs(bucket: Bucket, callsPerMinute: number, of: CallClass, now: number): number {
  const part = partOf(of, callsPerMinute)
  const share = part === 'charges' ? SHARE_OF_CHARGES : 1 - shareOfCharges(callsPerMinute)
  const missing = floorOf(of, callsPerMinute) + 1 - filled(bucket, callsPerMinute, now)[part]
  return Math.max(0, bucket.pausedUntil - now, Math.ceil(missing / (perMs(callsPerMinute) * share)))
}
