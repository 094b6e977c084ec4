import { beforeEach, describe, expect, test } from 'vitest'
import { attackedServer, type From } from '../../../../../test/attacked-server.ts'
import type { Device } from '../../devices/visitor.ts'
import { type MadeMerchant, makeDevice, makeMerchant, makeSession } from '../../factory.ts'
import { pruneIdentity } from '../../jobs.ts'
import { hashPassword } from '../../passwords/hashing.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const { ctx, app, anAddress, call, makeVictim } = await attackedServer()

/** Attacks on the password, as production limits them. */
describe('guessing passwords', () => {
  let merchant: MadeMerchant
  let owners: Device

  beforeEach(async () => {
    const victim = await makeVictim()
    merchant = victim.merchant
    owners = victim.owners
  })

  const attempt = (email: string, password: string, from?: From) => call('/signin', { email, password }, from)
  const guess = (from?: From) => attempt(merchant.email, 'a wrong guess', from)
  const signIn = (from?: From) => attempt(merchant.email, merchant.password, from)

  /** The wait before the next attempt after each failure. */
  async function waits(guesses: number, one: () => ReturnType<typeof guess>) {
    const all: number[] = []
    for (let n = 0; n < guesses; n += 1) {
      expect((await one()).status).toBe(401)
      const { status, wait } = await one()
      if (status === 401) throw new Error('two guesses where one was counted')
      all.push(wait)
      ctx.clock.advance(wait * SECOND_MS)
    }
    return all
  }

  test('waits a second from the third on, twice as long each time, and half an hour from the tenth on', async () => {
    for (let n = 0; n < 2; n += 1) expect((await guess()).status).toBe(401)
    expect(await waits(10, guess)).toEqual([1, 2, 4, 8, 16, 32, 64, 1800, 1800, 1800])
  })

  test('is answered 429 with the time to wait, before any password is checked', async () => {
    for (let n = 0; n < 3; n += 1) await guess()
    const { status, wait, body } = await signIn()
    expect([status, wait]).toEqual([429, 1])
    expect(body).toMatchObject({ code: 'rate_limited', message: 'Please wait 1 second before you try again' })
    ctx.clock.advance(SECOND_MS)
    expect((await signIn()).status).toBe(200)
  })

  test('is not extended by attempts during the wait', async () => {
    for (let n = 0; n < 3; n += 1) await guess()
    for (let n = 0; n < 30; n += 1) expect((await guess()).wait).toBe(1)
    ctx.clock.advance(SECOND_MS)
    expect((await signIn()).status).toBe(200)
  })

  test('checks three of 64 concurrent guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => guess()))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(3).fill(401), ...Array(61).fill(429)])
  })

  test('is slowed identically without an account, in every spelling of the email', async () => {
    const spellings = ['Nobody@example.com', 'NOBODY@EXAMPLE.COM', ' nobody@example.com']
    for (const email of spellings) expect((await attempt(email, 'a wrong guess')).status).toBe(401)
    const unknown = await attempt('nobody@example.com', 'a wrong guess')
    for (let n = 0; n < 3; n += 1) await guess()
    const known = await guess()
    expect(unknown).toEqual(known)
  })

  test('gets no second count from letters that the database treats as equal', async () => {
    merchant = await makeMerchant(ctx, { email: 'kiki@example.com' })
    // The index of emails treats the Kelvin sign as a small k, and the Turkish dotted capital as a small i.
    const spellings = ['\u212aiki', 'k\u0130ki', 'KIK\u0130'].map((name) =>
      merchant.email.replace('kiki', name),
    )
    for (const email of spellings) await attempt(email, 'a wrong guess')
    expect((await signIn()).status).toBe(429)
  })

  test('does not slow the owner at a device that has signed in before', async () => {
    for (let n = 0; n < 40; n += 1) {
      const { wait } = await guess()
      if (n % 4 === 0) ctx.clock.advance(wait * SECOND_MS)
    }
    expect((await signIn()).status).toBe(429)
    expect((await signIn({ device: owners })).status).toBe(200)
  })

  test('does not end or slow a session', async () => {
    const { authToken, refreshToken } = await makeSession(ctx, merchant.merchantId)
    for (let n = 0; n < 20; n += 1) await guess()
    const payload = { refreshToken }
    const refreshed = await app.inject({ method: 'POST', url: '/v1/auth/refresh-token', payload })
    expect(refreshed.statusCode).toBe(200)
    const signedOut = await app.inject({
      method: 'POST',
      url: '/v1/auth/signout',
      headers: { authorization: `Bearer ${authToken}` },
    })
    expect(signedOut.statusCode).toBe(204)
  })

  test('is not faster from a device that another account recognises', async () => {
    const other = await makeMerchant(ctx)
    const foreign = await makeDevice(ctx, other.merchantId)
    for (let n = 0; n < 3; n += 1) await guess({ device: foreign })
    expect((await guess({ device: foreign })).status).toBe(429)
    expect((await guess()).status).toBe(429)
  })

  test('is not faster with an invented cookie', async () => {
    for (let n = 0; n < 3; n += 1)
      await guess({ device: { token: 'A'.repeat(42) + n, hash: Buffer.alloc(0) } })
    expect((await guess({ device: { token: 'B'.repeat(43), hash: Buffer.alloc(0) } })).status).toBe(429)
  })

  test('is slowed at the owner’s own device too, which does not slow others', async () => {
    for (let n = 0; n < 2; n += 1) await guess({ device: owners })
    expect(await waits(2, () => guess({ device: owners }))).toEqual([1, 2])
    await guess({ device: owners })
    expect((await signIn({ device: owners })).status).toBe(429)
    const another = await makeDevice(ctx, merchant.merchantId)
    expect((await signIn({ device: another })).status).toBe(200)
    expect((await signIn()).status).toBe(200)
  })

  test('is cleared by the correct password, and a day after the last failure', async () => {
    for (let n = 0; n < 2; n += 1) await guess()
    expect((await signIn()).status).toBe(200)
    for (let n = 0; n < 2; n += 1) expect((await guess()).status).toBe(401)
    ctx.clock.advance(24 * HOUR_MS)
    for (let n = 0; n < 3; n += 1) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
  })

  test('leaves nothing in the database after it is cleared', async () => {
    await guess()
    ctx.clock.advance(24 * HOUR_MS - 1)
    await pruneIdentity(ctx)
    const rows = () => ctx.db.kysely.selectFrom('sign_in_failures').select('key').execute()
    expect(await rows()).toHaveLength(1)
    ctx.clock.advance(1)
    await pruneIdentity(ctx)
    expect(await rows()).toEqual([])
  })

  test('over many accounts is slowed by the address, for a minute at most', async () => {
    const address = anAddress()
    const spray = () => attempt(`${anAddress()}@example.com`, 'a wrong guess', { address })
    for (let n = 0; n < 2; n += 1) expect((await spray()).status).toBe(401)
    expect(await waits(9, spray)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    // Another network is not slowed, nor is a recognised device on this one.
    expect((await signIn({ device: owners, address })).status).toBe(200)
    expect((await signIn()).status).toBe(200)
    expect((await spray()).status).toBe(401)
    expect((await signIn({ address })).status).toBe(429)
  })

  test('is not cleared by signing in to another account', async () => {
    const address = anAddress()
    const own = await makeMerchant(ctx)
    const guess = () => attempt(`${anAddress()}@example.com`, 'a wrong guess', { address })
    const signInToOwn = () => attempt(own.email, own.password, { address })
    const statuses: number[] = []
    for (const each of [guess, signInToOwn, guess, signInToOwn, guess, signInToOwn])
      statuses.push((await each()).status)
    expect(statuses).toEqual([401, 200, 401, 200, 401, 429])
  })

  test('counts an IPv6 network as one address', async () => {
    const spray = (n: number) =>
      attempt(`${anAddress()}@example.com`, 'a wrong guess', { address: `2001:db8:5:5::${n}` })
    for (let n = 1; n < 4; n += 1) expect((await spray(n)).status).toBe(401)
    expect((await spray(9)).status).toBe(429)
  })

  test('does not count an attempt that was refused because of the queue', async () => {
    const passwords = { memoryKib: 47_104, passes: 40, atOnce: 2 }
    const long = { ...ctx, config: { ...ctx.config, passwords } }
    const crowd = Array.from({ length: 52 }, (_, n) => hashPassword(n < 2 ? long : ctx, `password ${n}`))
    const answers = await Promise.all([guess(), guess()])
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, wait: 1 })
    await Promise.all(crowd)
    for (let n = 0; n < 3; n += 1) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
  })
})
