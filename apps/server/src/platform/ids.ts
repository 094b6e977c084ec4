import { randomBytes, randomInt } from 'node:crypto'
import type { Id } from '@muripo/contract/ids'
import { v7 } from 'uuid'
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

export const systemIds: Ids = {
  next: (kind) => idFrom(kind, v7()),
  digits: (count) => Array.from({ length: count }, () => randomInt(10)).join(''),
  bytes: (count) => randomBytes(count),
  jitter: (spread) => 1 - spread + (2 * spread * randomInt(1_000_001)) / 1_000_000,
}

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
