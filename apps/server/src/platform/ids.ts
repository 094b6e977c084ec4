import { randomBytes, randomFillSync, randomInt } from 'node:crypto'
import type { Id } from '@muripo/contract/ids'
import { v7 } from 'uuid'
import { type Clock, systemClock } from './clock.ts'
import { AppError } from './errors.ts'
import { dashed, suffixFrom, uuidIn } from './typeid.ts'

/** The only source of ids and chance. */
export interface Ids {
  /** A new id of a kind, later in order than every one before it from this process. */
  next<Prefix extends string>(kind: { readonly prefix: Prefix }): Id<Prefix>
  /** So many decimal digits, each equally likely, leading zeros kept. */
  digits(count: number): string
  bytes(count: number): Buffer
  /** A factor between 1 - spread and 1 + spread, to keep timers from marching in step. */
  jitter(spread: number): number
}

const CHANCE_BYTES = 16
// By the kilobyte: to ask the system for 16 bytes takes nearly as long, and a payment's creation has four ids.
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

/** So far back a clock is adjusted in small steps, over which ids go on rising. A clock that is set back further is followed. */
const MOST_ADJUSTED_MS = 1000

/**
 * Ids rise: within a millisecond they are counted up, from somewhere in the lower half of 32 bits. After a clock has been set back by more
 * than a second they begin again at its time: a payment's time is that of its id, and must not be in the future.
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

/** The id of a kind for a UUID as the database keeps it. */
export const idFrom = <Prefix extends string>(kind: { readonly prefix: Prefix }, uuid: string): Id<Prefix> =>
  `${kind.prefix}_${suffixFrom(uuid)}` as Id<Prefix>

/** The UUID behind an id. Of any version: a caller may write an id that we never gave, and it is then not found. */
export const uuidOf = (id: Id<string>): string => uuidIn(suffixOf(id))

/** When an id was made, to the millisecond. */
export const timeOf = (id: Id<string>): Date => new Date(msOf(uuidOf(id)))

const msOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)

const latest = 2 ** 48 - 1

/** The UUID that no id made at this time or later, in milliseconds since 1970, is less than. */
export const firstUuidAt = (ms: number): string =>
  dashed(Math.min(Math.max(ms, 0), latest).toString(16).padStart(12, '0').padEnd(32, '0'))

/** The 26 characters after the prefix. */
export const suffixOf = (id: Id<string>): string => id.slice(id.indexOf('_') + 1)

/** The id that a caller wrote, or null when it cannot be one of that kind. */
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
