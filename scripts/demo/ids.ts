import { randomBytes } from 'node:crypto'
import type { Clock } from '../../apps/server/src/platform/clock.ts'
import { type Ids, idFrom, systemIds } from '../../apps/server/src/platform/ids.ts'
import type { Chance } from './chance.ts'

/** Lists are ordered by ids, so each id contains the simulated time (UUIDv7). Keys and salts are truly random. */
export function datedIds(chance: Chance, clock: Clock): Ids {
  return {
    ...systemIds,
    next: (kind) => idFrom(kind, uuidAt(chance, clock.now().getTime())),
    digits: (count) => Array.from({ length: count }, () => chance.between(0, 9)).join(''),
    bytes: (count) => randomBytes(count),
    jitter: () => 1,
  }
}

function uuidAt(chance: Chance, at: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  const random = () => hex(chance.between(0, 0xffff), 4)
  const time = hex(at, 12)
  const version = `7${hex(chance.between(0, 0xfff), 3)}`
  const variant = hex(0x8000 + chance.between(0, 0x3fff), 4)
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${random()}${random()}${random()}`
}
