import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { auditEntriesOn } from '../../test/audit-entries.ts'
import { test as base } from '../../test/fixtures.ts'
import { testMasterKey } from '../../test/master-key.ts'
import { makeTerminal } from '../../test/terminal.ts'
import { makeSession } from '../modules/identity/factory.ts'
import { balancesOf } from '../modules/ledger/index.ts'
import { makePaid, makePayment } from '../modules/payments/factory.ts'
import { makeNewEndpoint } from '../modules/webhooks/factory.ts'
import { operatorActor } from '../platform/audit/actor.ts'
import { audit } from '../platform/audit/audit.ts'
import { uuidOf } from '../platform/ids.ts'

const reason = ['--reason', 'The contract ended in 2026'] as const

const test = base.extend('scene', async ({ world: { ctx }, shop }, { onCleanup }) => {
  const { adminIn, dataDir, remove } = makeTerminal(ctx.databaseUrl)
  onCleanup(remove)
  const admin = adminIn({ MURIPO_MASTER_KEY: testMasterKey.toString('base64') })
  await makeSession(ctx, shop.merchantId)
  await makeNewEndpoint(ctx, shop.owner, 'https://tendai.example/hooks/secret-path')
  const rows = async (statement: string) =>
    (await ctx.db.pool.query(statement, [uuidOf(shop.merchantId)])).rows
  const erase = () => admin('merchants', 'erase', shop.merchantId, ...reason)
  const close = () => admin('merchants', 'close', shop.merchantId, ...reason)

  /** Books the balance of the merchant as paid out of the provider's account. */
  async function payOut() {
    for (const { code, currency, balanceMinor } of await balancesOf(ctx.db.kysely, shop.accountId)) {
      if (code !== 'merchant.payable' || balanceMinor === 0n) continue
      const accounts = ['--debit', 'merchant.payable', '--credit', 'clearing.scripted']
      const amount = ['--amount', String(Number(-balanceMinor) / 100), '--currency', currency]
      const given = ['--merchant', shop.merchantId, ...accounts, ...amount, ...reason]
      expect((await admin('ledger', 'adjust', ...given)).code).toBe(0)
    }
  }
  return { admin, dataDir, rows, erase, close, payOut }
})

test('everything of a merchant is exported to one file, without secrets', async ({
  world: { ctx, provider },
  shop,
  scene: { admin, dataDir },
}) => {
  const paid = await makePaid(ctx, shop.owner, provider, { amount: 12.5, currency: 'USD' })
  const file = join(dataDir, `${shop.merchantId}.json`)
  const written = await admin('merchants', 'export', shop.merchantId, file)
  expect(written).toMatchObject({
    code: 0,
    output: expect.stringContaining(`rows of ${shop.merchantId} are in`),
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  const content = JSON.parse(text)
  expect(content).toMatchObject({
    merchant: shop.merchantId,
    merchants: [{ id: uuidOf(shop.merchantId), fullname: 'Tendai Moyo' }],
    documents: [{ size_bytes: 1 }],
    sessions: [{ end_reason: null }],
    payments: [{ id: uuidOf(paid.id), amount_minor: 1250 }],
    payment_attempts: [{ amount_minor: 1250, status: 'completed' }],
    webhook_endpoints: [{ url: 'https://tendai.example/hooks/secret-path' }],
  })
  expect(content.ledger_transfers.length).toBeGreaterThan(0)
  expect(content.audit_log.map(({ action }: { action: string }) => action)).toContain('merchant.exported')
  expect(text).not.toMatch(/password|encrypted|lookup|token_hash|storage_key|whsec/)
  // Nothing of another merchant.
  expect(new Set(content.payments.map((each: { account_id: string }) => each.account_id))).toEqual(
    new Set([uuidOf(shop.accountId)]),
  )
  expect(await admin('merchants', 'export', shop.merchantId, file)).toMatchObject({
    code: 1,
    output: expect.stringContaining('exists already'),
  })
})

test('an export has no entry of what operators looked at and have not decided', async ({
  world: { ctx },
  shop,
  scene: { admin, dataDir },
}) => {
  const actor = operatorActor('rudo@company.test', 'root@till')
  const about = { subject: shop.merchantId, accountId: shop.merchantId, details: { reason: 'A fraud?' } }
  await ctx.db.tx(async (tx) => {
    for (const action of ['operator.revealed', 'proposal.created', 'merchant.suspended'] as const)
      await audit(ctx, tx, actor, { action, ...about })
  })
  const file = join(dataDir, `${shop.merchantId}-own.json`)
  expect((await admin('merchants', 'export', shop.merchantId, file)).code).toBe(0)
  const { audit_log: entries } = JSON.parse(readFileSync(file, 'utf8'))
  const actions = entries.map(({ action }: { action: string }) => action)
  expect(actions.slice(-2)).toEqual(['merchant.suspended', 'merchant.exported'])
  expect(actions.join()).not.toMatch(/operator\.|proposal\./)
})

test('only a closed merchant without payments under way and without a balance is erased', async ({
  world: { ctx, provider },
  shop,
  scene: { rows, erase, close, payOut },
}) => {
  const paid = await makePaid(ctx, shop.owner, provider, { amount: 12.5, currency: 'USD' })
  expect(await erase()).toMatchObject({ code: 1, output: expect.stringContaining('Only a closed merchant') })
  await makePayment(ctx, shop.owner)
  await close()
  expect(await erase()).toMatchObject({
    code: 1,
    output: expect.stringMatching(/has [12] payments that are open/),
  })
  await ctx.db.pool.query(
    `update payments set termination_reason = 'expired', termination_since = now(), status = 'failed', last_event = last_event + 1, status_reason = 'expired'
     where account_id = $1 and status = 'pending'`,
    [uuidOf(shop.accountId)],
  )
  await ctx.db.pool.query(
    'update payment_attempts set next_check_at = null, next_watch_at = null where account_id = $1',
    [uuidOf(shop.accountId)],
  )
  expect(await erase()).toMatchObject({
    code: 1,
    output: expect.stringContaining('is not settled: merchant.payable in USD'),
  })
  expect(await rows('select fullname, erased_at from merchants where id = $1')).toEqual([
    { fullname: 'Tendai Moyo', erased_at: null },
  ])
  await payOut()
  const before = await rows('select * from ledger_transfers where account_id = $1 order by cause_id, kind')
  expect(await erase()).toMatchObject({ code: 0, output: expect.stringContaining('is erased') })
  expect(await rows('select * from ledger_transfers where account_id = $1 order by cause_id, kind')).toEqual(
    before,
  )
  expect(
    await rows(
      `select amount_minor::int, status from payments where id = '${uuidOf(paid.id)}' and account_id = $1`,
    ),
  ).toEqual([{ amount_minor: 1250, status: 'completed' }])
})

test('an erasure removes every personal detail, and a second one changes nothing', async ({
  world: { ctx },
  shop,
  scene: { rows, erase, close },
}) => {
  const [{ person_id: personId }] = await rows('select person_id from memberships where merchant_id = $1')
  await close()
  expect(await erase()).toMatchObject({ code: 0, output: expect.stringContaining('is erased') })
  expect(await rows('select fullname, email, phone, status from merchants where id = $1')).toEqual([
    {
      fullname: 'Erased',
      email: `${uuidOf(shop.merchantId)}@erased.invalid`,
      phone: 'Erased',
      status: 'closed',
    },
  ])
  for (const table of ['sessions', 'memberships'])
    expect(await rows(`select from ${table} where merchant_id = $1`), table).toEqual([])
  for (const table of ['devices', 'passkeys', 'passkey_challenges', 'one_time_codes', 'persons']) {
    const owner = table === 'persons' ? 'id' : 'person_id'
    const { rows: left } = await ctx.db.pool.query(`select from ${table} where ${owner} = $1`, [personId])
    expect(left, table).toEqual([])
  }
  expect(await rows('select from webhook_secrets where account_id = $1')).toEqual([])
  expect(
    await rows(
      'select distinct url, deleted_at is not null as deleted from webhook_endpoints where account_id = $1',
    ),
  ).toEqual([{ url: 'https://erased.invalid/', deleted: true }])
  expect(
    await rows(
      'select distinct name, description, bank_account_number from applications where account_id = $1',
    ),
  ).toEqual([{ name: 'Erased', description: 'Erased', bank_account_number: null }])
  expect(
    await rows(
      'select from application_keys where account_id = $1 and (revoked_at is null or encrypted is not null)',
    ),
  ).toEqual([])
  const entries = await auditEntriesOn(ctx, shop.merchantId)
  expect(entries.at(-1)).toMatchObject({
    action: 'merchant.erased',
    actor: 'till',
    details: { reason: reason[1] },
  })

  const all = await rows('select * from merchants where id = $1')
  expect(await erase()).toEqual({
    code: 0,
    output: `${shop.merchantId} was already erased. Nothing has changed.`,
  })
  expect(await rows('select * from merchants where id = $1')).toEqual(all)
  expect(await auditEntriesOn(ctx, shop.merchantId)).toHaveLength(entries.length)
})

test('the database erases no merchant that is not closed, and restores none', async ({
  world: { ctx },
  shop,
  scene: { erase, close },
}) => {
  const set = (value: string) =>
    ctx.db.pool.query(`update merchants set erased_at = ${value} where id = $1`, [uuidOf(shop.merchantId)])
  await expect(set('now()')).rejects.toThrow('is not closed, or was erased')
  await close()
  await erase()
  await expect(set('null')).rejects.toThrow('is not closed, or was erased')
})
