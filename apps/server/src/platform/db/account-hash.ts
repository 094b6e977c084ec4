import type { AccountId } from '@muripo/contract/ids'
import { uuidOf } from '../ids.ts'

/**
 * PostgreSQL's hash of an account id (`uuid_hash`), by which Citus chooses the shard of its rows. It is part of the format of hash
 * partitions, and therefore the same in every release.
 */
export function accountHash(accountId: AccountId): number {
  const bytes = Buffer.from(uuidOf(accountId).replaceAll('-', ''), 'hex')
  const start = (0x9e3779b9 + bytes.length + 3_923_095) | 0
  const [a, b, c] = mix(
    (start + bytes.readInt32LE(0)) | 0,
    (start + bytes.readInt32LE(4)) | 0,
    (start + bytes.readInt32LE(8)) | 0,
  )
  return final((a + bytes.readInt32LE(12)) | 0, b, c)
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/** The steps of Bob Jenkins' lookup3 hash, with 32-bit integers. */
function mix(a: number, b: number, c: number): [number, number, number] {
  for (const [first, second, third] of [
    [4, 6, 8],
    [16, 19, 4],
  ] as const) {
    a = ((a - c) | 0) ^ rotate(c, first)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotate(a, second)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotate(b, third)
    b = (b + a) | 0
  }
  return [a, b, c]
}

function final(a: number, b: number, c: number): number {
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  return ((c ^ b) - rotate(b, 24)) | 0
}
