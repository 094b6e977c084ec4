import { randomBytes, randomFillSync, randomInt } from 'node:crypto'
import type { Id } from '@muripo/contract/ids'
import { v7 } from 'uuid'
import { type Clock, systemClock } from './clock.ts'
import { AppError } from './errors.ts'
import { dashed, suffixFrom, uuidIn } from './typeid.ts'

/** The only source of ids and randomness. */
export interface Ids {
  /** A new id of a kind, greater than every earlier one of this process. */
  next<Prefix extends string>(kind: { readonly prefix: Prefix }): Id<Prefix>
  /** Random decimal digits with uniform distribution, leading zeros included. */
  digits(count: number): string
  bytes(count: number): Buffer
  /** A factor between 1 - spread and 1 + spread, so that timers do not run in step. */
  jitter(spread: number): number
}

const CHANCE_BYTES = 16
// Random bytes are read by the kilobyte: a system call for 16 bytes takes nearly as long, and a create of a payment needs four ids.
const chance = new Uint8Array(256 * CHANCE_BYTES)
let spent = chance.length

function nextChance(): Uint8Array {
  if (spent === chance.length) {
    randomFillSync(chance)
    spent = 0
  }
  spent += CHANCE_BYTES
  return chance.subarray(spent - CHANCE_BYTES, spent)
}

/** A clock that is adjusted by at most this leaves ids increasing. After a larger step back, ids follow the clock. */
const MOST_ADJUSTED_MS = 1000

/**
 * Ids increase: within a millisecond they count up, from a start in the lower half of 32 bits. After a clock was set back by more than a
 * second they begin again at its time: a payment's time is that of its id, and must not be in the future.
 */
function uuidsBy(clock: Clock): () => string {
  const latest = { msecs: 0, seq: 0 }
  return () => {
    const random = nextChance()
    const now = clock.now().getTime()
    if (now > latest.msecs || now < latest.msecs - MOST_ADJUSTED_MS) {
      latest.msecs = now
      latest.seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
    } else {
      latest.seq += 1
    }
    return v7({ random, ...latest })
  }
}

export function createIds(clock: Clock): Ids {
  const nextUuid = uuidsBy(clock)
  return { ...chanceIds, next: (kind) => idFrom(kind, nextUuid()) }
}

const chanceIds: Omit<Ids, 'next'> = {
  digits: (count) => Array.from({ length: count }, () => randomInt(10)).join(''),
  bytes: (count) => randomBytes(count),
  jitter: (spread) => 1 - spread + (2 * spread * randomInt(1_000_001)) / 1_000_000,
}

export const systemIds: Ids = createIds(systemClock)

/** The id of a kind for a UUID of the database. */
export const idFrom = <Prefix extends string>(kind: { readonly prefix: Prefix }, uuid: string): Id<Prefix> =>
  `${kind.prefix}_${suffixFrom(uuid)}` as Id<Prefix>

/** The UUID of an id. Any version is accepted: a caller may send an id that we never issued, which is then not found. */
export const uuidOf = (id: Id<string>): string => uuidIn(suffixOf(id))

/** The creation time of an id, to the millisecond. */
export const timeOf = (id: Id<string>): Date => new Date(msOf(uuidOf(id)))

const msOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)

const latest = 2 ** 48 - 1

/** The smallest UUID that an id of this time, in milliseconds since 1970, may have. */
export const firstUuidAt = (ms: number): string =>
  dashed(Math.min(Math.max(ms, 0), latest).toString(16).padStart(12, '0').padEnd(32, '0'))

/** The 26 characters after the prefix. */
export const suffixOf = (id: Id<string>): string => id.slice(id.indexOf('_') + 1)

/** The id that a caller sent, or null when it cannot be one of that kind. */
export function parseId<Prefix extends string>(
  kind: { readonly prefix: Prefix; safeParse(text: string): { success: boolean } },
  text: string,
): Id<Prefix> | null {
  return kind.safeParse(text).success ? (text as Id<Prefix>) : null
}

/**
 * The id of a request.
 * @throws AppError not_found for a text that cannot be an id of that kind
 */
export function requestedId<Prefix extends string>(
  kind: Parameters<typeof parseId<Prefix>>[0],
  text: string,
): Id<Prefix> {
  const id = parseId(kind, text)
  if (id === null) throw new AppError('not_found')
  return id
}
