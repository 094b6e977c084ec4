import { readdirSync, readFileSync } from 'node:fs'
import { verify as rawVerify } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hash, verify } from './hashing.ts'

const secret = Buffer.alloc(32, 7)
const cost = { memoryCost: 7168, timeCost: 1, parallelism: 1 }

test('a hash made on a thread of its own is argon2id as anybody reads it', async () => {
  const made = await hash('a long sentence', secret, cost, 2)
  expect(made).toMatch(/^\$argon2id\$v=19\$m=7168,t=1,p=1\$/)
  expect(await rawVerify(made, 'a long sentence', { secret })).toBe(true)
  expect(await verify(made, 'a long sentence', secret, 2)).toBe(true)
  expect(await verify(made, 'another sentence', secret, 2)).toBe(false)
  expect(await verify(made, 'a long sentence', Buffer.alloc(32), 2)).toBe(false)
})

test('what is no hash is a fault, and the thread goes on', async () => {
  await expect(verify('nonsense', 'a long sentence', secret, 2)).rejects.toThrow()
  const made = await Promise.all([1, 2, 3].map((n) => hash(`password ${n}`, secret, cost, 2)))
  expect(await Promise.all(made.map((each, n) => verify(each, `password ${n + 1}`, secret, 2)))).toEqual([
    true,
    true,
    true,
  ])
})

test.runIf(process.platform === 'linux')(
  'hashing stands back: its threads alone have a lower priority',
  async () => {
    await hash('a long sentence', secret, cost, 2)
    const niceOf = (thread: string): number => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    }
    const own = niceOf(String(process.pid))
    const lower = readdirSync('/proc/self/task').filter((thread) => niceOf(thread) > own)
    expect(lower.length).toBeGreaterThanOrEqual(1)
    expect(lower).not.toContain(String(process.pid))
  },
)
