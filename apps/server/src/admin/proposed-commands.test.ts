import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byMerchant } from '../../test/audit-entries.ts'
import { terminalOf } from '../../test/terminal.ts'
import { freshShop, makeWorld, type Shop } from '../../test/world.ts'
import { accountByEmail, findMerchants } from '../modules/identity/index.ts'
import { makePaid } from '../modules/payments/factory.ts'
import { refundPayment } from '../modules/payments/index.ts'
import { uuidOf } from '../platform/ids.ts'
import { createRunRecorder } from '../platform/jobs/job-runs.ts'

const world = await makeWorld()
const { ctx } = world
afterAll(() => ctx.close())
const { admin } = terminalOf(ctx.databaseUrl)

let shop: Shop
let email: string
beforeAll(async () => {
  shop = await freshShop(world)
  email = (await findMerchants(ctx.db.kysely, shop.merchantId))[0]?.email ?? ''
})

const withApp = async () => {
  const personId = (await accountByEmail(ctx.db.kysely, email))?.personId
  await ctx.db.pool.query(
    "insert into totp_factors (person_id, secret, started_at, enabled_at, last_step) values ($1, decode(repeat('00', 60), 'hex'), now(), now(), 0)",
    [uuidOf(personId as never)],
  )
}

test('one operator removes a lost authenticator app', async () => {
  const remove = () => admin('persons', 'remove-authenticator', email, '--reason', 'lost phone')
  expect(await remove()).toMatchObject({
    code: 1,
    output: `${email} has no authenticator app. Nothing has changed.`,
  })
  await withApp()
  expect((await remove()).code).toBe(0)
  const { rows } = await ctx.db.pool.query('select from totp_factors')
  expect(rows).toEqual([])
  const unknown = await admin('persons', 'remove-authenticator', 'nobody@example.com', '--reason', 'r')
  expect(unknown.code).toBe(1)
})

test('failed jobs run again', async () => {
  await ctx.db.pool.query(
    "insert into jobs (kind, payload, max_attempts, attempts, last_error) values ('mail', '{}', 3, 3, 'no')",
  )
  expect((await admin('jobs', 'list')).output).toMatch(/mail: 0 due, 0 later, 1 given up/)
  expect(await admin('jobs', 'retry', 'mail')).toMatchObject({ code: 0, output: 'One job runs again.' })
  expect((await admin('jobs', 'retry', 'mail')).code).toBe(1)
  await ctx.db.pool.query('delete from jobs')
  expect((await admin('jobs', 'list')).output).toBe('No job waits.')
  expect((await admin('jobs', 'runs')).output).toBe('No run is recorded.')
  const recorder = createRunRecorder(ctx)
  await recorder.record('mail', () => Promise.reject(new Error('no mail server'))).catch(() => undefined)
  await recorder.record('fold', async () => undefined)
  await recorder.write()
  expect((await admin('jobs', 'runs')).output).toMatch(/Z {2}fold\n.*Took.* ms\n {2}Outcome {2}done\n\n/)
  const { output } = await admin('jobs', 'runs', '--name', 'mail', '--failed')
  expect(output).toMatch(/^\S+Z {2}mail\n.*\n {2}Outcome {2}failed: Error: no mail server$/)
})

describe('with two operators, a command proposes and nothing has changed yet:', () => {
  let payment: string
  let refund: string
  beforeAll(async () => {
    await admin('operators', 'add', 'rudo@company.test', '--role', 'admin')
    await admin('operators', 'add', 'tino@company.test', '--role', 'admin')
    const paid = await makePaid(ctx, shop.owner, world.provider)
    payment = paid.id
    world.provider.refundsBy = 'manual'
    const input = { amount: 1, currency: 'USD' } as const
    refund = (await refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, paid.id, input)).refund.id
    await withApp()
  })

  const commands: Readonly<Record<string, () => readonly string[]>> = {
    'refunds open': () => [email, payment, '--amount', '2', '--by-hand'],
    'refunds paid': () => [refund, '--reference', 'RV-1'],
    'ledger adjust': () =>
      ['--merchant', shop.merchantId, '--debit', 'suspense', '--credit', 'merchant.payable'].concat(
        '--amount',
        '5',
        '--currency',
        'USD',
      ),
    'providers route': () => [email, 'ecocash', 'none'],
    'persons remove-authenticator': () => [email],
  }

  test.each(Object.keys(commands))('%s', async (words) => {
    const given = commands[words]?.() ?? []
    const reason = given.includes('--reference') ? [] : ['--reason', 'because']
    const before = await records()
    const line = [...words.split(' '), ...given, ...reason]
    expect(await admin(...line)).toMatchObject({ code: 1, output: expect.stringContaining('Name yourself') })
    const proposed = await admin(...line, '--as', 'rudo@company.test')
    expect(proposed).toMatchObject({ code: 0, output: expect.stringContaining('nothing has changed yet') })
    expect(await records()).toEqual(before)
    const id = /prp_[0-9a-z]{26}/.exec(proposed.output)?.[0] ?? ''
    const approved = await admin('proposals', 'approve', id, '--as', 'tino@company.test')
    expect(approved).toMatchObject({ code: 0, output: expect.stringContaining('approved and executed') })
    expect(await records()).not.toEqual(before)
  })

  const records = async () => {
    const { rows } = await ctx.db.pool.query(`
      select (select json_agg(json_build_array(status, id) order by id) from refunds) as refunds,
        (select count(*) from ledger_transfers) as transfers, (select count(*) from provider_routes) as routes,
        (select count(*) from totp_factors) as apps`)
    return rows[0]
  }

  test('what must not wait is done at once', async () => {
    const stopped = await admin('applications', 'stop', shop.applicationId, '--reason', 'fraud')
    expect(stopped.code).toBe(0)
    const resumed = await admin('applications', 'resume', shop.applicationId, '--reason', 'fine')
    expect(resumed.code).toBe(1)
  })
})
