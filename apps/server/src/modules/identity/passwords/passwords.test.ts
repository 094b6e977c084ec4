import { Piscina } from 'piscina'
import { beforeEach, describe, expect, type Mock, test, vi } from 'vitest'
import { identityServer } from '../../../../test/identity-server.ts'
import { createDatabase } from '../../../platform/db/database.ts'
import { makeIdentityApp, makeMerchant } from '../factory.ts'
import { checkPassword, hashPassword } from './hashing.ts'
import type { VerifyTask } from './hashing-worker.ts'
import { isCommonPassword, isMadeOfOwnWords } from './password-rules.ts'

// The real threads, with their tasks recorded.
let threads: Mock<Piscina['run']>
beforeEach(() => {
  threads = vi.spyOn(Piscina.prototype, 'run')
})

/** The cost of each hash that the recorded tasks check after a mismatch. */
const checkedCosts = () =>
  threads.mock.calls
    .filter(([, options]) => options?.name === 'verify')
    .flatMap(([task]) => [(task as VerifyTask).passwordHash, ...(task as VerifyTask).decoys])
    .map((hash) => hash.split('$')[3])

const { ctx } = await identityServer()

describe('a common password', () => {
  test.each([
    'password',
    'Password',
    'PASSWORD1',
    '12345678',
    '1qaz2wsx',
    'liverpool1',
    'zimbabwe',
    'ｐａｓｓｗｏｒｄ',
  ])('is %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true)
  })
  test.each(['correct horse battery', 'password is not the only word', 'baobab-season', 'a long sentence'])(
    'is not %s',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false)
    },
  )
})

describe('a password that consists of own words', () => {
  const owner = { fullname: 'Tendai Moyo', email: 'tmoyo@rivershop.co.zw', phone: '+263771234567' }
  test.each([
    'tendai2026',
    'Tendai.Moyo1',
    'MOYO-tendai-MOYO',
    'muripo123',
    'Muripo!Muripo!',
    'tmoyo@rivershop.co.zw',
    'rivershop',
    'rivershop-tmoyo-99',
    'muripoTendai!',
    '0771234567',
    '+263 77 123 4567',
    'ｔｅｎｄａｉ１２',
  ])('is %s', (password) => {
    expect(isMadeOfOwnWords(password, owner)).toBe(true)
  })
  test.each([
    'Tendai likes tea',
    'muripo pays me',
    'river shop baobab',
    '0779999999',
    '14159265358979',
    '🌍🌍🌍🌍🌍🌍🌍🌍',
    'co zw com',
  ])('is not %s', (password) => {
    expect(isMadeOfOwnWords(password, owner)).toBe(false)
  })
})

describe('a password', () => {
  test('has the same hash in every Unicode form of its characters, and not with another character', async () => {
    const hash = await hashPassword(ctx, 'caf\u00e9 \ufb01ne \u00b5 \u0663')
    for (const same of ['cafe\u0301 \ufb01ne \u00b5 \u0663', 'caf\u00e9 fine \u03bc \u0663'])
      expect(await checkPassword(ctx, hash, same)).toBe(true)
    for (const other of [
      'cafe fine \u03bc \u0663',
      'Caf\u00e9 fine \u03bc \u0663',
      'caf\u00e9 fine \u03bc 3',
      ' caf\u00e9 fine \u03bc \u0663',
    ])
      expect(await checkPassword(ctx, hash, other)).toBe(false)
  })

  test('is compared up to its last character', async () => {
    const long = `${'x'.repeat(127)}a`
    const hash = await hashPassword(ctx, long)
    expect(await checkPassword(ctx, hash, long)).toBe(true)
    expect(await checkPassword(ctx, hash, `${'x'.repeat(127)}b`)).toBe(false)
  })

  test('is never correct without an account', async () => {
    for (const password of ['', '\0', 'correct horse battery'])
      expect(await checkPassword(ctx, null, password)).toBe(false)
  })

  test('gets a hash at the new cost with the first sign-in after a change, and keeps it', async () => {
    const { email, password } = await makeMerchant(ctx)
    const signInAt = async (memoryKib: number, passes: number) => {
      const changed = { ...ctx, config: { ...ctx.config, passwords: { memoryKib, passes, atOnce: 2 } } }
      const other = await makeIdentityApp(changed)
      const response = await other.inject({
        method: 'POST',
        url: '/v1/auth/signin',
        payload: { email, password },
      })
      await other.close()
      const row = await ctx.db.kysely
        .selectFrom('persons')
        .where('email', '=', email)
        .select('password_hash')
        .executeTakeFirstOrThrow()
      return [response.statusCode, row.password_hash] as const
    }
    const [, before] = await signInAt(7168, 1)
    expect(before).toMatch(/\$m=7168,t=1,p=1\$/)
    const [status, raised] = await signInAt(9216, 2)
    expect(status).toBe(200)
    expect(raised).toMatch(/\$m=9216,t=2,p=1\$/)
    expect(await signInAt(9216, 2)).toEqual([200, raised])
  })

  test('is refused with the same hashing for any email, while hashes of an old cost exist', async () => {
    const today = { memoryKib: 10_240, passes: 1, atOnce: 2 }
    const changed = { ...ctx, config: { ...ctx.config, passwords: today } }
    const old = await hashPassword(ctx, 'correct horse battery')
    const current = await hashPassword(changed, 'correct horse battery')
    await checkPassword(changed, old, 'a wrong guess')
    const costsOf = async (passwordHash: string | null) => {
      threads.mockClear()
      expect(await checkPassword(changed, passwordHash, 'a wrong guess')).toBe(false)
      return checkedCosts().toSorted()
    }
    const costs = await costsOf(null)
    expect(costs).toContain('m=7168,t=1,p=1')
    expect(costs).toContain('m=10240,t=1,p=1')
    expect(await costsOf(old)).toEqual(costs)
    expect(await costsOf(current)).toEqual(costs)
  })

  test('is refused with the hashing of old accounts from the first sign-in after a start', async () => {
    await makeMerchant(ctx)
    const restarted = createDatabase(ctx.databaseUrl, { maxConnections: 1 })
    const passwords = { memoryKib: 11_264, passes: 1, atOnce: 2 }
    threads.mockClear()
    await checkPassword(
      { ...ctx, db: restarted, config: { ...ctx.config, passwords } },
      null,
      'a wrong guess',
    )
    const costs = checkedCosts()
    expect(costs).toContain('m=7168,t=1,p=1')
    await restarted.close()
  })

  test('is not hashed again after a wrong attempt', async () => {
    const { email } = await makeMerchant(ctx)
    const hash = async () =>
      (
        await ctx.db.kysely
          .selectFrom('persons')
          .where('email', '=', email)
          .select('password_hash')
          .executeTakeFirst()
      )?.password_hash
    const before = await hash()
    const changed = {
      ...ctx,
      config: { ...ctx.config, passwords: { memoryKib: 9216, passes: 1, atOnce: 2 } },
    }
    const other = await makeIdentityApp(changed)
    await other.inject({
      method: 'POST',
      url: '/v1/auth/signin',
      payload: { email, password: 'a wrong guess' },
    })
    await other.close()
    expect(await hash()).toBe(before)
  })
})
