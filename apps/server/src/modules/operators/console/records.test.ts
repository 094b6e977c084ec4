import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeApp } from '../../../../test/app.ts'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { type AtConsole, operatorAt } from '../../../../test/console.ts'
import { makeWorld } from '../../../../test/world.ts'
import { systemActor } from '../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../platform/audit/audit.ts'
import { createRunRecorder } from '../../../platform/jobs/job-runs.ts'
import { makeMerchant, makeSession } from '../../identity/factory.ts'

const { ctx } = await makeWorld()
let app: Awaited<ReturnType<typeof makeApp>>
let admin: AtConsole
let support: AtConsole

beforeAll(async () => {
  app = await makeApp(ctx)
  admin = await operatorAt(app, ctx, 'admin')
  support = await operatorAt(app, ctx, 'support')
})
afterAll(async () => {
  await app.close()
  await ctx.close()
})

describe('a note', () => {
  test('is listed with its author and time, the newest first, and masked until the reveal', async () => {
    const { merchantId } = await makeMerchant(ctx)
    const path = `/merchants/${merchantId}/notes`
    expect((await admin.call('GET', path)).body).toEqual({ notes: [], nextCursor: null })
    expect((await support.call('POST', path, { note: 'Called +263 77 123 4567' })).status).toBe(204)
    expect((await admin.call('POST', path, { note: 'Documents\nare complete' })).status).toBe(204)
    const notes = async () => (await admin.call('GET', path)).body.notes
    expect(await notes()).toEqual([
      expect.objectContaining({ by: admin.email, note: 'Documents\nare complete' }),
      expect.objectContaining({ by: support.email, note: 'Called 077 *** 4567' }),
    ])
    await admin.call('POST', '/reveal', { subject: merchantId, reason: 'A call' })
    expect((await notes())[1]).toMatchObject({ note: 'Called +263 77 123 4567' })
    const entries = await auditEntriesOn(ctx, merchantId)
    expect(entries.filter(({ action }) => action === 'operator.noted')).toHaveLength(2)
  })

  test('is no text that is empty or too long, and about no unknown merchant', async () => {
    const { merchantId } = await makeMerchant(ctx)
    for (const note of [' ', 'x'.repeat(1001)]) {
      const refused = await admin.call('POST', `/merchants/${merchantId}/notes`, { note })
      expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ field: 'note' }] })
    }
    expect((await admin.call('POST', '/merchants/nobody/notes', { note: 'x' })).status).toBe(404)
  })

  test('is not read by its merchant', async () => {
    const { merchantId } = await makeMerchant(ctx)
    await admin.call('POST', `/merchants/${merchantId}/notes`, { note: 'Take care' })
    const { authToken } = await makeSession(ctx, merchantId)
    const { body } = await app.inject({
      url: '/v1/activity',
      headers: { authorization: `Bearer ${authToken}` },
    })
    expect(body).toContain('"activity":[')
    expect(body).not.toContain('Take care')
  })

  test('continues on the next page', async () => {
    const { merchantId } = await makeMerchant(ctx)
    const path = `/merchants/${merchantId}/notes`
    for (let n = 0; n < 51; n += 1) await admin.call('POST', path, { note: `Note ${n}` })
    const { nextCursor, notes } = (await admin.call('GET', path)).body
    expect(notes).toHaveLength(50)
    expect((await admin.call('GET', `${path}?cursor=${nextCursor}`)).body).toMatchObject({
      notes: [{ note: 'Note 0' }],
      nextCursor: null,
    })
  })
})

describe('the audit log', () => {
  const entry = (action: Action, subject: string) =>
    ctx.db.tx((tx) => audit(ctx, tx, systemActor('test'), { action, subject, accountId: null }))
  const subjects = async (query: string) =>
    (await admin.call('GET', `/audit?${query}`)).body.entries.map(
      ({ subject }: { subject: string }) => subject,
    )

  test('is filtered by the group of the action, and by time', async () => {
    await entry('provider.account_set', 'first-account')
    ctx.clock.advance(60_000)
    const from = ctx.clock.now().toISOString()
    await entry('provider.account_rotated', 'second-account')
    await entry('payments.exported', 'third')
    expect(await subjects('group=provider')).toEqual(['second-account', 'first-account'])
    expect(await subjects('group=payment')).toEqual(['third'])
    expect(await subjects(`group=provider&from=${from}`)).toEqual(['second-account'])
    expect(await subjects(`group=provider&before=${from}`)).toEqual(['first-account'])
    expect((await admin.call('GET', '/audit?group=nonsense')).body.code).toBe('validation_failed')
  })

  test('is exported as the filter leaves it, masked, over several pages, and the export is an entry', async () => {
    const { merchantId } = await makeMerchant(ctx)
    await ctx.db.tx(async (tx) => {
      for (let n = 0; n < 1001; n += 1)
        await audit(ctx, tx, systemActor('test'), {
          action: 'team.invited',
          subject: `inv_${n}`,
          accountId: merchantId,
          details: { email: 'sekai@example.com', note: '=1+1' },
        })
    })
    const { text, status } = await admin.call('GET', `/audit/export?about=${merchantId}&group=team`)
    expect(status).toBe(200)
    const [head, ...rows] = text.trim().split('\r\n')
    expect(head).toContain('"Time","Action","By","Address","About","Details","Request","ID"')
    expect(rows).toHaveLength(1001)
    expect(rows[0]).toContain('"inv_1000"')
    expect(rows.at(-1)).toContain('"inv_0"')
    expect(text).not.toContain('sekai@')
    expect(await auditEntriesOn(ctx, admin.id)).toContainEqual(
      expect.objectContaining({
        action: 'operator.audit_exported',
        actor: admin.email,
        details: { about: merchantId, group: 'team' },
      }),
    )
    expect((await support.call('GET', '/audit/export')).body.code).toBe('not_permitted')
  })
})

test.each(['x'.repeat(300), 'mer_llllllllllllllllllllllllll', '%00', 'mer_01h455vb4pex5vsknk084sn02q'])(
  'a filter by an id of nothing finds nothing: %#',
  async (id) => {
    const [audited, webhooks, merchants, runs] = await Promise.all(
      [
        `/audit?about=${id}`,
        `/webhooks?merchant=${id}`,
        `/merchants?search=${id}`,
        `/jobs/runs?name=${id}`,
      ].map((path) => admin.call('GET', path)),
    )
    expect([audited?.body.entries, webhooks?.body.endpoints]).toEqual([[], []])
    expect([merchants?.body.merchants, runs?.body.runs]).toEqual([[], []])
  },
)

test('the runs of jobs are listed, the last of each or the newest of a filter', async () => {
  const recorder = createRunRecorder(ctx)
  await recorder.record('fold', async () => undefined)
  await recorder.record('mail', () => Promise.reject(new Error('no mail server'))).catch(() => undefined)
  await recorder.write()
  const runs = async (query = '') => (await admin.call('GET', `/jobs/runs${query}`)).body
  const failed = { name: 'mail', error: 'Error: no mail server', startedAt: ctx.clock.now().toISOString() }
  expect(await runs()).toMatchObject({
    runs: [{ name: 'fold', error: null }, failed],
    names: ['fold', 'mail'],
    nextCursor: null,
  })
  expect(await runs('?outcome=failed')).toMatchObject({ runs: [failed], names: ['fold', 'mail'] })
  expect((await runs('?name=fold&outcome=failed')).runs).toEqual([])
  expect((await runs('?name=nothing')).runs).toEqual([])
})
