import type { Tokens } from '@muripo/contract/auth'
import { permissionsOf, type Role, roles } from '@muripo/contract/permissions'
import { type GrantedRole, grantedRoles } from '@muripo/contract/team'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { identityServer } from '../../../../test/identity-server.ts'
import { dayAt, plusDays } from '../../../platform/clock.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { type MadeMerchant, makeMember, makeMerchant, makeSession } from '../factory.ts'
import { insertMembership } from './store-memberships.ts'
import { findMembership } from './store-team.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const { ctx, app } = await identityServer()

let shop: MadeMerchant
let owner: Tokens
let count = 0
const freshEmail = () => {
  count += 1
  return `invited-${count}@example.com`
}

beforeEach(async () => {
  ctx.mails.length = 0
  shop = await makeMerchant(ctx)
  owner = await makeSession(ctx, shop.merchantId)
})

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  by: Tokens | null,
  payload?: object,
) {
  const response = await app.inject({
    method,
    url: `/v1${path}`,
    headers: by === null ? {} : { authorization: `Bearer ${by.authToken}` },
    ...(payload && { payload }),
  })
  return { status: response.statusCode, body: response.payload ? response.json() : null }
}
const invite = (by: Tokens, role: Role | string = 'support', email = freshEmail()) =>
  call('POST', '/team/invitations', by, { email, role })
const linkTo = (email: string) =>
  /\/invitation#([\w-]{43})/.exec(ctx.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? ''
const accept = (by: Tokens, token: string) => call('POST', '/invitations/accept', by, { token })
const join = (token: string) =>
  call('POST', '/invitations/join', null, { token, fullname: 'Rudo Dube', password: 'another long sentence' })
const team = async (by = owner) => (await call('GET', '/team', by)).body

/** A person with an account of their own whose email is invited. */
async function invitedMerchant(role: GrantedRole = 'support') {
  const other = await makeMerchant(ctx, { email: freshEmail() })
  await invite(owner, role, other.email)
  return { ...other, tokens: await makeSession(ctx, other.merchantId), token: linkTo(other.email) }
}

describe('an invitation', () => {
  test('is mailed, listed, and accepted by a session of its email, which stays a member of its own merchant', async () => {
    const { email, tokens, token, personId, merchantId } = await invitedMerchant('finance')
    expect((await team()).invitations).toMatchObject([{ email, role: 'finance', applications: null }])
    expect(await accept(tokens, token)).toMatchObject({
      status: 200,
      body: { merchant: { id: shop.merchantId }, role: 'finance' },
    })
    const { members, invitations } = await team()
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
    const { email, token } = await invitedMerchant()
    const stranger = await makeSession(ctx, (await makeMerchant(ctx)).merchantId)
    const { status, body } = await accept(stranger, token)
    expect([status, body.code]).toEqual([403, 'invitation_of_another'])
    expect(body.detail).toContain('i•••@example.com')
    expect(JSON.stringify(body)).not.toContain(email)
  })

  test('looks the same when it is unknown, used, withdrawn, replaced or expired', async () => {
    const { email, tokens, token } = await invitedMerchant()
    const answers = [await accept(tokens, 'x'.repeat(43))]
    await invite(owner, 'viewer', email.toUpperCase())
    answers.push(await accept(tokens, token))
    const second = linkTo(email.toUpperCase())
    const [{ id }] = (await team()).invitations
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
    expect((await team()).invitations).toHaveLength(1)
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
    expect((await team()).members).toHaveLength(2)
  })

  test('makes one membership for 64 who accept it at once', async () => {
    const { tokens, token } = await invitedMerchant()
    const answers = await Promise.all(Array.from({ length: 64 }, () => accept(tokens, token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await team()).members).toHaveLength(2)
  })
})

describe('nobody grants what they do not hold', () => {
  /** Only owner and admin change teams, only the owner makes admins, and nobody makes owners. */
  const may = (granter: Role, role: Role): boolean =>
    role !== 'owner' && (granter === 'owner' || (granter === 'admin' && role !== 'admin'))

  test.each(roles.flatMap((granter) => roles.map((role) => [granter, role] as const)))(
    '%s to %s: invitation and change',
    async (granter, role) => {
      const by = granter === 'owner' ? owner : (await makeMember(ctx, shop.merchantId, granter)).tokens
      const member = await makeMember(ctx, shop.merchantId, 'cashier')
      const invited = await invite(by, role)
      const changed = await call('PATCH', `/team/members/${member.personId}`, by, { role })
      const isOwnerOfNothing = role === 'owner' && permissionsOf[granter].has('team.write')
      const refused = isOwnerOfNothing ? 422 : 403
      const expected = may(granter, role) ? [201, 200] : [refused, refused]
      expect([invited.status, changed.status]).toEqual(expected)
    },
  )

  test.each(grantedRoles)(
    'an admin changes and removes a member who is %s, unless that is an admin',
    async (role) => {
      const admin = await makeMember(ctx, shop.merchantId, 'admin')
      const member = await makeMember(ctx, shop.merchantId, role)
      const path = `/team/members/${member.personId}`
      const isAdmin = role === 'admin'
      expect((await call('PATCH', path, admin.tokens, { role: 'viewer' })).status).toBe(isAdmin ? 403 : 200)
      expect((await call('DELETE', path, admin.tokens)).status).toBe(isAdmin ? 403 : 200)
    },
  )

  test('a refusal names the missing permission', async () => {
    const { tokens } = await makeMember(ctx, shop.merchantId, 'viewer')
    expect((await invite(tokens)).body).toMatchObject({
      code: 'not_permitted',
      detail: 'Your role lacks the permission team.write',
    })
    const cashier = await makeMember(ctx, shop.merchantId, 'cashier')
    expect((await call('GET', '/team', cashier.tokens)).body.detail).toContain('team.read')
  })

  test('nobody changes their own role, and the owner is not changed by anybody', async () => {
    const admin = await makeMember(ctx, shop.merchantId, 'admin')
    for (const id of [admin.personId, shop.personId])
      expect((await call('PATCH', `/team/members/${id}`, admin.tokens, { role: 'viewer' })).status).toBe(403)
    expect((await call('PATCH', `/team/members/${shop.personId}`, owner, { role: 'viewer' })).status).toBe(
      403,
    )
  })
})

test('a member is seen with the sign-in', async () => {
  const member = await makeMember(ctx, shop.merchantId, 'viewer')
  const at = ctx.clock.now().toISOString()
  expect((await team()).members).toMatchObject([
    { role: 'owner', lastSeenAt: at },
    { id: member.personId, lastSeenAt: at },
  ])
})

describe('losing access', () => {
  test('a removed member is refused with the next call, cannot sign in, and can be invited again', async () => {
    const { personId, email, password, tokens } = await makeMember(ctx, shop.merchantId, 'support')
    expect((await call('DELETE', `/team/members/${personId}`, owner)).status).toBe(200)
    expect((await call('GET', '/account', tokens)).status).toBe(401)
    expect(
      (await call('POST', '/auth/refresh-token', null, { refreshToken: tokens.refreshToken })).status,
    ).toBe(401)
    expect((await call('POST', '/auth/signin', null, { email, password })).status).toBe(401)
    await invite(owner, 'viewer', email)
    expect((await join(linkTo(email))).status).toBe(201)
  })

  test('a member who belongs to another merchant stays there', async () => {
    const { personId, tokens, token, merchantId } = await invitedMerchant()
    await accept(tokens, token)
    expect((await call('DELETE', `/team/members/${personId}`, owner)).status).toBe(200)
    expect((await call('GET', '/account', tokens)).body.merchant.id).toBe(merchantId)
  })

  test('a member who joins another merchant at the same moment stays there', async () => {
    const { personId } = await makeMember(ctx, shop.merchantId, 'support')
    const other = await makeMerchant(ctx)
    let removal: ReturnType<typeof call> | undefined
    await ctx.db.tx(async (tx) => {
      const createdAt = ctx.clock.now()
      const { merchantId } = other
      await insertMembership(tx, { merchantId, personId, role: 'viewer', applications: null, createdAt })
      removal = call('DELETE', `/team/members/${personId}`, owner)
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await ctx.db.pool.query(waiting)).rowCount).toBe(1)
    })
    expect((await removal)?.status).toBe(200)
    expect(await findMembership(ctx.db.kysely, other.merchantId, personId)).toMatchObject({ role: 'viewer' })
  })

  test('a member may leave, and the owner may not', async () => {
    const { personId, tokens } = await makeMember(ctx, shop.merchantId, 'cashier')
    expect((await call('DELETE', `/team/members/${shop.personId}`, owner)).body.code).toBe(
      'owner_cannot_leave',
    )
    expect((await call('DELETE', `/team/members/${personId}`, tokens)).status).toBe(200)
    expect((await call('GET', '/account', tokens)).status).toBe(401)
  })

  test('a member of another merchant is not found', async () => {
    const other = await makeMerchant(ctx)
    const member = await makeMember(ctx, other.merchantId, 'viewer')
    for (const method of ['PATCH', 'DELETE'] as const) {
      const answer = await call(
        method,
        `/team/members/${member.personId}`,
        owner,
        method === 'PATCH' ? { role: 'viewer' } : undefined,
      )
      expect(answer.status).toBe(404)
    }
  })
})

describe('the ownership', () => {
  const start = (memberId: string, password = shop.password) =>
    call('POST', '/team/owner', owner, { memberId, password })
  const confirm = (by: Tokens) => call('POST', '/team/owner/confirm', by)

  test('changes when both have confirmed, with the address of the notices', async () => {
    const next = await makeMember(ctx, shop.merchantId, 'support')
    expect((await start(next.personId, 'wrong')).status).toBe(422)
    expect((await confirm(next.tokens)).status).toBe(404)
    expect((await start(next.personId)).body.handOver).toMatchObject({ to: next.personId })
    const other = await makeMember(ctx, shop.merchantId, 'admin')
    expect((await confirm(other.tokens)).status).toBe(404)
    expect((await confirm(next.tokens)).status).toBe(200)
    expect(
      (await team(next.tokens)).members.map(({ id, role }: { id: string; role: Role }) => [id, role]),
    ).toEqual([
      [next.personId, 'owner'],
      [shop.personId, 'admin'],
      [other.personId, 'admin'],
    ])
    expect((await confirm(next.tokens)).status).toBe(404)
    const { rows } = await ctx.db.pool.query('select email from merchants where id = $1', [
      uuidOf(shop.merchantId),
    ])
    expect(rows).toEqual([{ email: next.email }])
  })

  test('is handed over by the owner only, within three days, and either side may end it', async () => {
    const next = await makeMember(ctx, shop.merchantId, 'admin')
    const byAdmin = call('POST', '/team/owner', next.tokens, {
      memberId: next.personId,
      password: next.password,
    })
    expect((await byAdmin).status).toBe(403)
    for (const by of [owner, next.tokens]) {
      await start(next.personId)
      expect((await call('DELETE', '/team/owner', by)).status).toBe(204)
      expect((await confirm(next.tokens)).status).toBe(404)
    }
    await start(next.personId)
    ctx.clock.advance(3 * DAY_MS)
    expect((await team(await makeSession(ctx, shop.merchantId))).handOver).toBeNull()
  })

  test('has one owner after 64 rival confirmations and hand-overs', async () => {
    const [one, two] = [
      await makeMember(ctx, shop.merchantId, 'admin'),
      await makeMember(ctx, shop.merchantId, 'admin'),
    ]
    await start(one.personId)
    await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        n % 4 === 0 ? start(two.personId) : confirm(n % 2 === 0 ? one.tokens : two.tokens),
      ),
    )
    const { rows } = await ctx.db.pool.query(
      "select count(*)::int as owners from memberships where merchant_id = $1 and role = 'owner'",
      [uuidOf(shop.merchantId)],
    )
    expect(rows).toEqual([{ owners: 1 }])
  })

  test('cannot have two owners in the database', async () => {
    const { personId } = await makeMember(ctx, shop.merchantId, 'viewer')
    await expect(
      ctx.db.pool.query("update memberships set role = 'owner' where person_id = $1", [uuidOf(personId)]),
    ).rejects.toMatchObject({ constraint: 'memberships_one_owner' })
  })
})

describe('switching', () => {
  test('opens a session for the other merchant and ends that of the call', async () => {
    const { tokens, token } = await invitedMerchant('viewer')
    await accept(tokens, token)
    const { status, body } = await call('POST', '/account/merchant', tokens, { merchantId: shop.merchantId })
    expect(status).toBe(200)
    expect((await call('GET', '/account', tokens)).status).toBe(401)
    expect((await call('GET', '/account', body)).body).toMatchObject({
      merchant: { id: shop.merchantId },
      role: 'viewer',
      permissions: [...permissionsOf.viewer],
    })
  })

  test('is an end in the log of the former merchant, which the log of the other one does not name', async () => {
    const { tokens, token, merchantId: former } = await invitedMerchant('viewer')
    await accept(tokens, token)
    const { sid } = decodeJwt(tokens.authToken)
    await call('POST', '/account/merchant', tokens, { merchantId: shop.merchantId })
    expect(await auditEntriesOn(ctx, String(sid))).toMatchObject([
      { action: 'session.signed_out', account_id: uuidOf(former) },
    ])
    const { activity } = (await call('GET', '/activity?group=session', owner)).body
    expect(activity[0]).toMatchObject({ action: 'session.opened', by: { kind: 'person' } })
    expect(JSON.stringify(activity)).not.toContain(String(sid))
  })

  test('is refused for a merchant of which the person is no member', async () => {
    const other = await makeMerchant(ctx)
    expect((await call('POST', '/account/merchant', owner, { merchantId: other.merchantId })).status).toBe(
      404,
    )
    expect((await call('GET', '/account', owner)).status).toBe(200)
  })
})

describe('the activity', () => {
  test('names the person of each entry, by page, person and group', async () => {
    const admin = await makeMember(ctx, shop.merchantId, 'admin')
    await invite(owner)
    await invite(admin.tokens)
    await call('PATCH', '/account', admin.tokens, { timeZone: 'Africa/Lusaka' })
    const read = async (query = '') => (await call('GET', `/activity${query}`, owner)).body
    const { activity, nextCursor } = await read('?limit=2')
    expect(activity).toMatchObject([
      { action: 'account.time_zone_changed', by: { kind: 'person', id: admin.personId } },
      { action: 'team.invited', by: { kind: 'person', id: admin.personId } },
    ])
    expect((await read(`?limit=1&cursor=${nextCursor}`)).activity).toMatchObject([
      { action: 'team.invited', by: { kind: 'person', id: shop.personId, name: 'Tendai Moyo' } },
    ])
    expect((await read('?group=account')).activity).toHaveLength(1)
    expect((await read(`?person=${shop.personId}&group=team`)).activity).toHaveLength(1)
    const day = dayAt(ctx.clock.now(), 'Africa/Lusaka')
    expect((await read(`?from=${day}&to=${day}`)).activity).toHaveLength(3)
    expect((await read(`?from=${plusDays(day, 1)}`)).activity).toEqual([])
    expect((await read(`?to=${plusDays(day, -1)}`)).activity).toEqual([])
    const viewer = await makeMember(ctx, (await makeMerchant(ctx)).merchantId, 'viewer')
    expect((await call('GET', '/activity', viewer.tokens)).body.activity).toEqual([])
  })
})
