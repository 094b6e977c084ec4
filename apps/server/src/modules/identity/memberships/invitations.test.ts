import type { Tokens } from '@muripo/contract/auth'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { teamServer } from '../../../../test/team-server.ts'
import { type MadeMerchant, makeMember, makeMerchant, makeSession } from '../factory.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const { ctx, call, freshEmail, invite, linkTo, accept, join, teamOf, invitedMerchant } = await teamServer()

let shop: MadeMerchant
let owner: Tokens

beforeEach(async () => {
  ctx.mails.length = 0
  shop = await makeMerchant(ctx)
  owner = await makeSession(ctx, shop.merchantId)
})

describe('an invitation', () => {
  test('is mailed, listed, and accepted by a session of its email, which stays a member of its own merchant', async () => {
    const { email, tokens, token, personId, merchantId } = await invitedMerchant(owner, 'finance')
    expect((await teamOf(owner)).invitations).toMatchObject([{ email, role: 'finance', applications: null }])
    expect(await accept(tokens, token)).toMatchObject({
      status: 200,
      body: { merchant: { id: shop.merchantId }, role: 'finance' },
    })
    const { members, invitations } = await teamOf(owner)
    expect(members).toMatchObject([{ role: 'owner' }, { id: personId, email, role: 'finance' }])
    expect(invitations).toEqual([])
    const { body } = await call('GET', '/account/merchants', tokens)
    expect(body.merchants).toMatchObject([
      { id: merchantId, role: 'owner', current: true },
      { id: shop.merchantId, role: 'finance', current: false },
    ])
    expect((await auditEntriesOn(ctx, personId)).map(({ action }) => action)).toContain('team.joined')
  })

  test('makes a new person a member, who signs in with the invited email', async () => {
    const email = freshEmail()
    await invite(owner, 'cashier', email)
    expect((await call('POST', '/invitations/show', null, { token: linkTo(email) })).body).toMatchObject({
      merchant: 'Tendai Moyo',
      invitedBy: 'Tendai Moyo',
      email: 'i•••@example.com',
      role: 'cashier',
      hasAccount: false,
    })
    const token = linkTo(email)
    expect((await join(token)).status).toBe(201)
    const { body } = await call('POST', '/auth/signin', null, { email, password: 'another long sentence' })
    expect(body.otpId).toMatch(/^otp_/)
    expect((await join(token)).status).toBe(410)
  })

  test('is refused to a session of another email, which learns the masked address only', async () => {
    const { email, token } = await invitedMerchant(owner)
    const stranger = await makeSession(ctx, (await makeMerchant(ctx)).merchantId)
    const { status, body } = await accept(stranger, token)
    expect([status, body.code]).toEqual([403, 'invitation_of_another'])
    expect(body.detail).toContain('i•••@example.com')
    expect(JSON.stringify(body)).not.toContain(email)
  })

  test('looks the same when it is unknown, used, withdrawn, replaced or expired', async () => {
    const { email, tokens, token } = await invitedMerchant(owner)
    const answers = [await accept(tokens, 'x'.repeat(43))]
    await invite(owner, 'viewer', email.toUpperCase())
    answers.push(await accept(tokens, token))
    const second = linkTo(email.toUpperCase())
    const [{ id }] = (await teamOf(owner)).invitations
    await call('DELETE', `/team/invitations/${id}`, owner)
    expect((await call('DELETE', `/team/invitations/${id}`, owner)).status).toBe(404)
    answers.push(await accept(tokens, second))
    await invite(owner, 'viewer', email)
    ctx.clock.advance(7 * DAY_MS)
    owner = await makeSession(ctx, shop.merchantId)
    const later = await makeSession(ctx, (await makeMerchant(ctx)).merchantId)
    answers.push(await accept(later, linkTo(email)))
    await invite(owner, 'viewer', email)
    await join(linkTo(email))
    const shapes = answers.map(({ status, body: { requestId: _, ...body } }) => ({ status, body }))
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
    expect(shapes[0]?.status).toBe(410)
    expect((await teamOf(owner)).invitations).toHaveLength(1)
  })

  test('has a role that exists, an email, and no owner', async () => {
    for (const role of ['owner', 'boss', null]) expect((await invite(owner, role as string)).status).toBe(422)
    expect((await invite(owner, 'support', 'nobody')).status).toBe(422)
    expect(
      (
        await call('POST', '/team/invitations', owner, {
          email: freshEmail(),
          role: 'support',
          applications: [],
        })
      ).status,
    ).toBe(422)
  })

  test('is refused for a member, and when fifty are open', async () => {
    const { email } = await makeMember(ctx, shop.merchantId, 'viewer')
    expect((await invite(owner, 'support', email)).body.code).toBe('already_member')
    for (let n = 0; n < 50; n += 1) {
      if (n % 25 === 0) ctx.clock.advance(61 * 60 * 1000)
      owner = await makeSession(ctx, shop.merchantId)
      expect((await invite(owner)).status).toBe(201)
    }
    expect((await invite(owner)).body.code).toBe('invitation_limit_reached')
  })

  test('is refused when members and open invitations are two hundred', async () => {
    expect((await invite(owner)).status).toBe(201)
    // The owner is the first of them.
    for (let n = 0; n < 197; n += 1) await makeMember(ctx, shop.merchantId, 'viewer')
    expect((await invite(owner)).status).toBe(201)
    const { status, body } = await invite(owner)
    expect([status, body.code]).toEqual([409, 'invitation_limit_reached'])
    expect(body.detail).toContain('200 members')
  })

  test('is not good any more when whoever sent it cannot grant its role any more', async () => {
    const admin = await makeMember(ctx, shop.merchantId, 'admin')
    const email = freshEmail()
    expect((await invite(admin.tokens, 'support', email)).status).toBe(201)
    await call('PATCH', `/team/members/${admin.personId}`, owner, { role: 'viewer' })
    expect((await join(linkTo(email))).body.code).toBe('invitation_expired')
    expect((await teamOf(owner)).members).toHaveLength(2)
  })

  test('of an admin is ended by the owner only, also by another invitation of the same email', async () => {
    const email = freshEmail()
    const admin = await makeMember(ctx, shop.merchantId, 'admin')
    await invite(owner, 'admin', email)
    const [{ id }] = (await teamOf(owner)).invitations
    const refused = { status: 403, body: { code: 'not_permitted' } }
    expect(await invite(admin.tokens, 'viewer', email)).toMatchObject(refused)
    expect(await call('DELETE', `/team/invitations/${id}`, admin.tokens)).toMatchObject(refused)
    expect((await teamOf(owner)).invitations).toMatchObject([{ id, role: 'admin' }])
    ctx.clock.advance(7 * DAY_MS)
    owner = await makeSession(ctx, shop.merchantId)
    const later = await makeMember(ctx, shop.merchantId, 'admin')
    expect((await invite(later.tokens, 'viewer', email)).status).toBe(201)
    await invite(owner, 'admin', email)
    expect((await join(linkTo(email))).status).toBe(201)
  })

  test('makes one membership for 64 who accept it at once', async () => {
    const { tokens, token } = await invitedMerchant(owner)
    const answers = await Promise.all(Array.from({ length: 64 }, () => accept(tokens, token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await teamOf(owner)).members).toHaveLength(2)
  })
})
