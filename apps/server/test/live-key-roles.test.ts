import { describe, expect, test } from 'vitest'
import { makeMember } from '../src/modules/identity/factory.ts'
import { parseConfig } from '../src/platform/config.ts'
import { applicationForm, liveGateway } from './live-gateway.ts'

describe('LIVE_KEY_ROLES=owner', async () => {
  const { ctx, call, openShop } = await liveGateway(undefined, { LIVE_KEY_ROLES: 'owner' })

  async function shopWithAdmin() {
    const { merchantId, application, session: owner } = await openShop()
    const { tokens } = await makeMember(ctx, merchantId, 'admin')
    const admin = { authorization: `Bearer ${tokens.authToken}` }
    const path = `/v1/applications/${application._id}`
    const make = (by: typeof owner, mode: 'live' | 'test') =>
      call('POST', `${path}/keys`, by, { name: 'Counter', preset: 'till', mode })
    return { owner, admin, path, make }
  }
  const refusal = {
    status: 403,
    body: {
      code: 'not_permitted',
      detail:
        'The operator of this gateway lets other roles make live keys. Please ask the owner of the account',
      reason: { code: 'liveKeysOfOtherRoles' },
    },
  }

  test('an admin makes keys for tests only, and rotates and replaces no live key', async () => {
    const { owner, admin, path, make } = await shopWithAdmin()
    expect(await make(admin, 'live')).toMatchObject(refusal)
    expect((await make(admin, 'test')).status).toBe(201)
    const { status, body: key } = await make(owner, 'live')
    expect(status).toBe(201)
    const rotation = `${path}/keys/${key.id}/rotate`
    expect(await call('POST', rotation, admin, { overlapSeconds: 0 })).toMatchObject(refusal)
    expect(await call('PATCH', `${path}/regenerate-key`, admin)).toMatchObject(refusal)
    expect((await call('PATCH', `${path}/regenerate-key?mode=test`, admin)).status).toBe(200)
    expect((await call('POST', rotation, owner, { overlapSeconds: 0 })).status).toBe(201)
  })

  test('an admin opens no live key of the owner to other networks', async () => {
    const { owner, admin, path, make } = await shopWithAdmin()
    const { body: key } = await make(owner, 'live')
    const change = (by: typeof owner, body: object) => call('PATCH', `${path}/keys/${key.id}`, by, body)
    expect((await change(owner, { allowedAddresses: ['203.0.113.0/24'] })).status).toBe(200)
    for (const allowedAddresses of [null, [], ['0.0.0.0/0']])
      expect(await change(admin, { allowedAddresses })).toMatchObject(refusal)
    expect((await change(admin, { name: 'Till' })).body.allowedAddresses).toEqual(['203.0.113.0/24'])
  })

  test('an application of an admin has the key of tests only, until the owner makes the live one', async () => {
    const { owner, admin } = await shopWithAdmin()
    const { status, body } = await call('POST', '/v1/applications/create', admin, applicationForm)
    expect([status, body.applicationKey]).toEqual([201, null])
    expect(body.testKey).toMatch(/^mk_test_/)
    const made = await call('PATCH', `/v1/applications/${body._id}/regenerate-key`, owner)
    expect(made.body.newApplicationKey).toMatch(/^mk_live_/)
  })
})

test('without the setting every role that makes keys makes live ones', () => {
  expect([...parseConfig({}).liveKeyRoles]).toEqual(['owner', 'admin', 'developer'])
  expect([...parseConfig({ LIVE_KEY_ROLES: 'owner, admin' }).liveKeyRoles]).toEqual(['owner', 'admin'])
})

test.each(['admin', 'owner,viewer', 'owner,boss', ','])('%s is no list of roles', (text) => {
  expect(() => parseConfig({ LIVE_KEY_ROLES: text })).toThrow(
    `LIVE_KEY_ROLES must be owner, or owner and others of admin, developer, separated by commas, not "${text}"`,
  )
})
