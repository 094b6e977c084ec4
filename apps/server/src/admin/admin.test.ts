import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { BankingDetails } from '@muripo/contract/applications'
import type { ApplicationId } from '@muripo/contract/ids'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../test/audit-entries.ts'
import { skipOnCitus } from '../../test/on-citus.ts'
import { terminalOf } from '../../test/terminal.ts'
import { testCtx } from '../../test/test-ctx.ts'
import { updateBanking } from '../modules/applications/actions/update-banking.ts'
import { makeApplication } from '../modules/applications/factory.ts'
import { makeMerchant } from '../modules/identity/factory.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

const ctx = await testCtx()
afterAll(() => ctx.close())
const { dataDir, env, admin, adminIn } = terminalOf(ctx.databaseUrl)
let applicationId: ApplicationId

beforeEach(async () => {
  const { merchantId } = await makeMerchant(ctx, { fullname: 'Rudo\u001b[31m Chikomo' })
  applicationId = (await makeApplication(ctx, merchantId, 'Chikomo Grocers'))._id
  await updateBanking(
    ctx,
    byMerchant(merchantId),
    merchantId,
    applicationId,
    BankingDetails.parse({
      bankName: 'CBZ Bank',
      bankAccountNumber: '0123456789',
      bankAccountName: 'Chikomo Trading',
      bankAccountType: 'Current',
    }),
  )
})

/** Runs the command in a process of its own, as an operator does. */
const asProcess = (args: readonly string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
const lastAuditEntry = async () => (await auditEntriesOn(ctx, applicationId)).at(-1)
const jobs = async () => Number((await ctx.db.pool.query('select count(*) from jobs')).rows[0].count)

test('a process prints its result on standard output, and an error with its code on standard error', async () => {
  const listed = await asProcess(['banking', 'list'])
  expect(listed).toEqual({ code: 0, err: '', out: expect.stringContaining(applicationId) })
  const refused = await asProcess(['banking', 'approve', applicationId, '2'])
  expect(refused).toEqual({ code: 1, out: '', err: expect.stringContaining('Look again with banking list') })
  expect((await asProcess(['banking', 'sell'])).code).toBe(2)
})

test(
  '[MANAGE-13] pending details are listed with the facts to compare, and approved by the printed command',
  skipOnCitus('the email is queued on the node of the shard group'),
  async () => {
    const listed = await admin('banking', 'list')
    expect(listed.code).toBe(0)
    const mine = listed.output.slice(listed.output.indexOf(applicationId))
    expect(mine).toMatch(
      new RegExp(
        [
          `^${applicationId}  change 1, waiting for .*`,
          '  Merchant      Rudo \\[31m Chikomo <merchant-\\d+@example.com>',
          '  Application   Chikomo Grocers',
          '  Account name  Chikomo Trading',
          '  Bank          CBZ Bank',
          '  Account no.   0123456789',
          '  Account type  Current',
          `  To approve    npm run admin -- banking approve ${applicationId} 1`,
        ].join('\n'),
      ),
    )
    const queued = await jobs()
    const [, ...words] = /npm run admin -- (\S+) (\S+) (\S+) (\S+)/.exec(mine) ?? []
    const approved = await admin(...words, '--as', 'Rudo')
    expect(approved).toEqual({
      code: 0,
      output: `The banking details of ${applicationId} are approved. The merchant receives an email.`,
    })
    expect(await jobs()).toBe(queued + 1)
    expect(await lastAuditEntry()).toMatchObject({
      actor_kind: 'operator',
      actor: 'Rudo',
      action: 'application.banking_approved',
      address: 'till@counter',
    })
    expect((await admin(...words)).output).toContain('were approved already')
    expect((await admin('banking', 'list')).output).not.toContain(applicationId)
  },
)

test('[MANAGE-13] a refusal records its reason, and the account of the terminal when no name is given', async () => {
  const { code, output } = await admin('banking', 'reject', applicationId, '1', '--reason', 'Another name')
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('are refused') })
  expect(await lastAuditEntry()).toMatchObject({
    actor: 'till',
    action: 'application.banking_rejected',
    details: { reason: 'Another name', revision: 1 },
  })
})

test('the log is read newest first, of one application or of one merchant', async () => {
  await admin('banking', 'approve', applicationId, '1', '--as', 'Rudo')
  const { output } = await admin('audit', 'list', '--about', applicationId)
  expect(output.match(/application\.\w+/g)).toEqual([
    'application.banking_approved',
    'application.banking_changed',
    'application.created',
  ])
  expect(output).toMatch(/ {2}by {7}Rudo\n/)
  expect(output).toMatch(/ {2}from {5}203\.0\.113\.7, request request-1\n/)
  const merchantId = /by +(mer_\w+)/.exec(output)?.[1] ?? ''
  expect((await admin('audit', 'list', '--about', merchantId)).output).toBe(output)
  expect((await admin('audit', 'list', '--about', 'app_unknown')).output).toBe('Nothing is written down.')
})

describe('is answered with one line and changes nothing:', () => {
  const none = `app_${'0'.repeat(26)}`
  test.each([
    [
      'a change that nobody has seen',
      () => ['approve', applicationId, '2'],
      1,
      'Look again with banking list',
    ],
    ['an application that is not there', () => ['approve', none, '1'], 1, 'There is no application'],
    ['no id', () => ['approve', 'shop', '1'], 2, '"shop" is not the id of an application'],
    ['no number', () => ['approve', applicationId, '1x'], 2, '"1x" is not the number of a change'],
    ['no reason', () => ['reject', applicationId, '1'], 2, '--reason'],
    ['an empty name', () => ['approve', applicationId, '1', '--as', ' '], 2, '--as needs a name'],
  ])('%s', async (_what, args, code, output) => {
    const before = await auditEntriesOn(ctx, applicationId)
    const answer = await admin('banking', ...args())
    expect(answer).toEqual({ code, output: expect.stringContaining(output) })
    expect(await auditEntriesOn(ctx, applicationId)).toEqual(before)
  })
})

describe('names the missing part:', () => {
  const list = ['banking', 'list']

  test('no gateway runs on the data directory', async () => {
    const { code, output } = await adminIn({ DATABASE_URL: '' })(...list)
    expect(code).toBe(1)
    expect(output).toContain(`No gateway runs on ${dataDir}`)
  })

  test('no gateway has started there, so its secrets are unknown', async () => {
    const elsewhere = path.join(dataDir, 'elsewhere')
    const { code, output } = await adminIn({ MURIPO_DATA: elsewhere })(...list)
    expect(code).toBe(1)
    expect(output).toContain(`No gateway has been started on ${elsewhere}`)
  })

  test('the database does not belong to a gateway', async () => {
    const other = new URL(ctx.databaseUrl)
    other.pathname = '/postgres'
    const { code, output } = await adminIn({ DATABASE_URL: other.href })(...list)
    expect(code).toBe(1)
    expect(output).toContain('start this version of the gateway first')
  })

  test('the environment of production', async () => {
    const { code, output } = await adminIn({ NODE_ENV: 'production' })(...list)
    expect(code).toBe(1)
    expect(output).toMatch(/^This needs the environment of the gateway:\n(.*\n)*MURIPO_MASTER_KEY is missing/)
  })
})
