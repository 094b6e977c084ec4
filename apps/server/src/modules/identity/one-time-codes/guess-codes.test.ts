import { beforeEach, describe, expect, test } from 'vitest'
import { attackedServer, type From } from '../../../../test/attacked-server.ts'
import { codeIn, wrongCode } from '../../../../test/mailed-code.ts'
import type { Device } from '../devices/visitor.ts'
import { type MadeMerchant, makeMerchant, runIdentityJobs } from '../factory.ts'

const SECOND_MS = 1000
const HOUR_MS = 60 * 60 * SECOND_MS

const { ctx, app, anAddress, call, makeVictim } = await attackedServer()

/** Attacks on the codes, as production limits them. */
describe('guessing codes', () => {
  let merchant: MadeMerchant
  let owners: Device

  beforeEach(async () => {
    const victim = await makeVictim()
    merchant = victim.merchant
    owners = victim.owners
    ctx.mails.length = 0
  })

  const signIn = (from: From = {}, { email, password } = merchant) =>
    call('/signin', { email, password }, from)
  const verify = (otpId: string, otp: string, from: From = {}) =>
    call(`/verify-otp/${otpId}`, { purpose: 'signin', otp }, from)
  const forgot = (email: string, from: From = {}) => call('/password/forgot', { email }, from)
  const setNew = (otpId: string, otp: string, from: From = {}) =>
    call(`/password/setnew/${otpId}`, { otp, newPassword: 'another good password' }, from)
  const codeTo = (email: string) => {
    const mail = ctx.mails.findLast(({ to, text }) => to === email && codeIn(text) !== '')
    return codeIn(mail?.text)
  }
  const advanceTo = async ({ wait }: { wait: number }) => ctx.clock.advance(Math.max(1, wait) * SECOND_MS)

  describe('with the password', () => {
    /** Signs in and enters wrong codes for this time, and waits as responses require. Returns the number of compared codes. */
    async function guessFor(ms: number, from: From = {}): Promise<{ compared: number; mailed: number }> {
      const end = ctx.clock.now().getTime() + ms
      const mails = ctx.mails.length
      let compared = 0
      while (ctx.clock.now().getTime() < end) {
        const signedIn = await signIn(from)
        if (signedIn.status === 429) {
          await advanceTo(signedIn)
          continue
        }
        const wrong = wrongCode(codeTo(merchant.email))
        let answer = await verify(signedIn.body.otpId, wrong, from)
        for (; answer.status === 400; answer = await verify(signedIn.body.otpId, wrong, from)) compared += 1
        expect([410, 429]).toContain(answer.status)
        if (answer.status === 429) await advanceTo(answer)
      }
      return { compared, mailed: ctx.mails.length - mails }
    }

    test('checks ten in an hour, over however many codes and addresses', async () => {
      const { compared, mailed } = await guessFor(HOUR_MS - SECOND_MS)
      expect(compared).toBe(10)
      expect(mailed).toBeLessThanOrEqual(10)
    })

    test('checks fifty in a day, and mails twenty codes', async () => {
      const { compared, mailed } = await guessFor(24 * HOUR_MS - 2 * SECOND_MS)
      expect(compared).toBeLessThanOrEqual(50)
      expect(compared).toBeGreaterThan(40)
      expect(mailed).toBeLessThanOrEqual(20)
    })

    test('does not use the quota of the owner’s recognised device', async () => {
      for (let n = 0; n < 2; n += 1) {
        const stolen = await signIn()
        for (let m = 0; m < 5; m += 1) await verify(stolen.body.otpId, wrongCode(codeTo(merchant.email)))
      }
      const spent = await signIn()
      expect(await verify(spent.body.otpId, codeTo(merchant.email))).toMatchObject({
        status: 429,
        wait: 3600,
      })
      const { body } = await signIn({ device: owners })
      const code = codeTo(merchant.email)
      expect((await verify(body.otpId, wrongCode(code), { device: owners })).status).toBe(400)
      expect((await verify(body.otpId, code, { device: owners })).status).toBe(200)
    })

    test('does not use the resends of the owner’s recognised device', async () => {
      const resend = (otpId: string, from: From = {}) =>
        call(`/resend-otp/${otpId}`, { purpose: 'signin' }, from)
      const own = (await signIn({ device: owners })).body.otpId
      let { otpId } = (await signIn()).body
      for (let n = 0; n < 5; n += 1) {
        ctx.clock.advance(20 * SECOND_MS)
        const { status, body } = await resend(otpId)
        expect(status).toBe(200)
        otpId = body.otpId
      }
      ctx.clock.advance(20 * SECOND_MS)
      expect((await resend(otpId)).status).toBe(429)
      expect((await resend(own, { device: owners })).status).toBe(200)
    })

    test('mails ten codes an hour and twenty a day that nobody uses', async () => {
      const statuses = async (times: number) => {
        const all: number[] = []
        for (let n = 0; n < times; n += 1) all.push((await signIn()).status)
        return all
      }
      expect(await statuses(11)).toEqual([...Array(10).fill(200), 429])
      expect(await signIn()).toMatchObject({ status: 429, wait: 3600 })
      ctx.clock.advance(HOUR_MS)
      expect(await statuses(11)).toEqual([...Array(10).fill(200), 429])
      ctx.clock.advance(HOUR_MS)
      expect(await signIn()).toMatchObject({ status: 429, wait: 22 * 3600 })
      expect((await signIn({ device: owners })).status).toBe(200)
    })

    test('mails no more than ten of 48 concurrently requested codes', async () => {
      const answers = await Promise.all(Array.from({ length: 48 }, () => signIn()))
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(10)
      expect(ctx.mails.length).toBeLessThanOrEqual(10)
    })

    test('does not count a correct code', async () => {
      for (let n = 0; n < 12; n += 1) {
        const { status, body } = await signIn()
        expect(status).toBe(200)
        expect((await verify(body.otpId, codeTo(merchant.email))).status).toBe(200)
      }
    })

    test('checks ten of 64 concurrent wrong codes for eight sign-ins', async () => {
      const ids: string[] = []
      for (let n = 0; n < 8; n += 1) ids.push((await signIn()).body.otpId)
      const codes = new Set(ctx.mails.map(({ text }) => codeIn(text)))
      const wrong = [
        '000000',
        '000001',
        '000002',
        '000003',
        '000004',
        '000005',
        '000006',
        '000007',
        '000008',
      ].find((code) => !codes.has(code))
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, n) => verify(ids[n % 8] ?? '', wrong ?? '')),
      )
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
      expect(answers.filter(({ status }) => [410, 429].includes(status))).toHaveLength(54)
    })

    test('one address may try thirty wrong codes an hour, over all accounts', async () => {
      const address = anAddress()
      let compared = 0
      for (let n = 0; n < 8; n += 1) {
        const other = await makeMerchant(ctx)
        const { body } = await signIn({}, other)
        const wrong = wrongCode(codeTo(other.email))
        for (let m = 0; m < 5; m += 1) {
          ctx.clock.advance(5 * SECOND_MS)
          if ((await verify(body.otpId, wrong, { address })).status === 400) compared += 1
        }
      }
      expect(compared).toBe(30)
    })

    test('one address is mailed twenty codes an hour over all accounts, and a recognised device has its own quota', async () => {
      const address = anAddress()
      const statuses: number[] = []
      for (let n = 0; n < 21; n += 1) {
        ctx.clock.advance(5 * SECOND_MS)
        statuses.push((await signIn({ address }, await makeMerchant(ctx))).status)
      }
      expect(statuses).toEqual([...Array(20).fill(200), 429])
      expect((await signIn({ address, device: owners })).status).toBe(200)
    })
  })

  describe('that set a password', () => {
    /** Requests codes and enters wrong ones for a day. Returns the number of compared codes and the responses. */
    async function guessADay(email: string, from: From = {}) {
      const end = ctx.clock.now().getTime() + 24 * HOUR_MS - SECOND_MS
      const met: string[] = []
      while (ctx.clock.now().getTime() < end) {
        const { body } = await forgot(email, from)
        await runIdentityJobs(ctx)
        const wrong = wrongCode(codeTo(email))
        for (let n = 0; n < 4; n += 1) {
          const { status, wait, body: problem } = await setNew(body.otpId, wrong, from)
          met.push(`${status} ${wait} ${problem.message}`)
        }
        ctx.clock.advance(HOUR_MS)
      }
      return { met, compared: met.filter((answer) => answer.startsWith('400')).length }
    }

    test('checks nine in a day, over however many codes and addresses', async () => {
      expect((await guessADay(merchant.email)).compared).toBe(9)
    })

    test('answers identically for an email without an account', async () => {
      const known = await guessADay(merchant.email)
      ctx.clock.advance(48 * HOUR_MS)
      const unknown = await guessADay('nobody@example.com')
      expect(unknown.met).toEqual(known.met)
    })

    test('counts another spelling of an email as the same email', async () => {
      let compared = 0
      for (const email of [
        merchant.email,
        merchant.email.toUpperCase(),
        ` ${merchant.email}`,
        merchant.email,
      ]) {
        const { body } = await forgot(email)
        await runIdentityJobs(ctx)
        for (let n = 0; n < 3; n += 1) {
          if ((await setNew(body.otpId, wrongCode(codeTo(merchant.email)))).status === 400) compared += 1
        }
      }
      expect(compared).toBe(9)
    })

    test('mails ten codes a day for unrecognised devices, and still mails the codes of the owner’s device', async () => {
      for (let n = 0; n < 30; n += 1) {
        await forgot(merchant.email)
        ctx.clock.advance(HOUR_MS / 2)
      }
      await runIdentityJobs(ctx)
      expect(ctx.mails.length).toBeLessThanOrEqual(10)

      const { met } = await guessADay(merchant.email)
      expect(met.filter((answer) => answer.startsWith('429')).length).toBeGreaterThan(10)
      const before = ctx.mails.length
      const { body } = await forgot(merchant.email, { device: owners })
      await runIdentityJobs(ctx)
      expect(ctx.mails).toHaveLength(before + 1)
      expect((await setNew(body.otpId, codeTo(merchant.email), { device: owners })).status).toBe(200)
    })

    test('a new password clears the failures of unrecognised devices, and makes the browser a recognised device', async () => {
      for (let n = 0; n < 12; n += 1) {
        const { wait } = await signIn({}, { ...merchant, password: 'a wrong guess' })
        ctx.clock.advance(wait * SECOND_MS)
      }
      await signIn({}, { ...merchant, password: 'a wrong guess' })
      expect((await signIn()).status).toBe(429)
      const { body } = await forgot(merchant.email)
      await runIdentityJobs(ctx)
      const response = await app.inject({
        method: 'POST',
        url: `/v1/auth/password/setnew/${body.otpId}`,
        payload: { otp: codeTo(merchant.email), newPassword: 'another good password' },
      })
      const token = /muripo-device=([\w-]{43});/.exec(String(response.headers['set-cookie']))?.[1] ?? ''
      const next = { ...merchant, password: 'another good password' }
      for (let n = 0; n < 4; n += 1) await signIn({}, { ...merchant, password: 'a wrong guess' })
      expect((await signIn({}, next)).status).toBe(429)
      expect((await signIn({ device: { ...owners, token } }, next)).status).toBe(200)
    })
  })
})
