import { readdirSync, readFileSync } from 'node:fs'
import { verify as rawVerify } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashOnThread, verifyOnThread } from './hashing.ts'

const secret = Buffer.alloc(32, 7)
const cost = { memoryCost: 7168, timeCost: 1, parallelism: 1 }

const verifies = (passwordHash: string, password: string, decoys: string[] = []) =>
  verifyOnThread({ password, secret, passwordHash, decoys }, 2)

test('a hash made on a thread of the pool is standard argon2id', async () => {
  const made = await hashOnThread({ password: 'a long sentence', secret, cost }, 2)
  expect(made).toMatch(/^\$argon2id\$v=19\$m=7168,t=1,p=1\$/)
  expect(await rawVerify(made, 'a long sentence', { secret })).toBe(true)
  expect(await verifies(made, 'a long sentence')).toBe(true)
  expect(await verifies(made, 'another sentence')).toBe(false)
  const otherSecret = {
    password: 'a long sentence',
    secret: Buffer.alloc(32),
    passwordHash: made,
    decoys: [],
  }
  expect(await verifyOnThread(otherSecret, 2)).toBe(false)
})

test('decoys are checked after a mismatch only', async () => {
  const made = await hashOnThread({ password: 'a long sentence', secret, cost }, 2)
  expect(await verifies(made, 'a long sentence', ['nonsense'])).toBe(true)
  await expect(verifies(made, 'another sentence', [made, 'nonsense'])).rejects.toThrow()
})

test('a malformed hash is an error, and the thread continues', async () => {
  await expect(verifies('nonsense', 'a long sentence')).rejects.toThrow()
  const made = await Promise.all(
    [1, 2, 3].map((n) => hashOnThread({ password: `password ${n}`, secret, cost }, 2)),
  )
  expect(await Promise.all(made.map((each, n) => verifies(each, `password ${n + 1}`)))).toEqual([
    true,
    true,
    true,
  ])
})

test('fifty tasks wait for two threads, and further ones are refused', async () => {
  const tasks = Array.from({ length: 52 }, (_, n) =>
    hashOnThread({ password: `password ${n}`, secret, cost }, 2),
  )
  await expect(hashOnThread({ password: 'one too many', secret, cost }, 2)).rejects.toMatchObject({
    code: 'service_unavailable',
    headers: { 'retry-after': '1' },
  })
  expect(new Set(await Promise.all(tasks)).size).toBe(52)
  expect(await hashOnThread({ password: 'once more', secret, cost }, 2)).toMatch(/^\$argon2id/)
})

test.runIf(process.platform === 'linux')('the hashing threads alone have a lower priority', async () => {
  await hashOnThread({ password: 'a long sentence', secret, cost }, 2)
  const niceOf = (thread: string): number => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  }
  const own = niceOf(String(process.pid))
  const lower = readdirSync('/proc/self/task').filter((thread) => niceOf(thread) > own)
  expect(lower.length).toBeGreaterThanOrEqual(1)
  expect(lower).not.toContain(String(process.pid))
})
