import type { Tokens } from '@muripo/contract/auth'
import { permissionsOf, type Role, roles } from '@muripo/contract/permissions'
import { grantedRoles } from '@muripo/contract/team'
import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { teamServer } from '../../../../test/team-server.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { type MadeMerchant, makeMember, makeMerchant, makeSession } from '../factory.ts'
import { insertMembership } from './store-memberships.ts'
import { findMembership } from './store-team.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const { ctx, call, invite, linkTo, accept, join, teamOf, invitedMerchant } = await teamServer()

let shop: MadeMerchant
let owner: Tokens

beforeEach(async () => {
  ctx.mails.length = 0
  shop = await makeMerchant(ctx)
  owner = await makeSession(ctx, shop.merchantId)
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
  expect((await teamOf(owner)).members).toMatchObject([
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
    const { personId, tokens, token, merchantId } = await invitedMerchant(owner)
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
      (await teamOf(next.tokens)).members.map(({ id, role }: { id: string; role: Role }) => [id, role]),
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
    expect((await teamOf(await makeSession(ctx, shop.merchantId))).handOver).toBeNull()
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
    const { tokens, token } = await invitedMerchant(owner, 'viewer')
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
    const { tokens, token, merchantId: former } = await invitedMerchant(owner, 'viewer')
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
