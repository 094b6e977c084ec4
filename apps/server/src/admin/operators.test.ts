import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEntriesOn } from '../../test/audit-entries.ts'
import { terminalOf } from '../../test/terminal.ts'
import { makeWorld } from '../../test/world.ts'
import { makeMerchant } from '../modules/identity/factory.ts'
import { findMerchants } from '../modules/identity/index.ts'

const world = await makeWorld()
const { ctx } = world
afterAll(() => ctx.close())
const { admin, adminIn, warnings } = terminalOf(ctx.databaseUrl)

const statusOf = async (id: Awaited<ReturnType<typeof makeMerchant>>['merchantId']) =>
  (await findMerchants(ctx.db.kysely, id))[0]?.status
const idIn = (output: string) => /prp_[0-9a-z]{26}/.exec(output)?.[0] ?? ''
const close = (id: string, ...more: string[]) => admin('merchants', 'close', id, '--reason', 'fraud', ...more)

test('with fewer than two operators one person decides, and the output says so', async () => {
  const { merchantId } = await makeMerchant(ctx)
  const { code, output } = await close(merchantId)
  expect([code, await statusOf(merchantId)]).toEqual([0, 'closed'])
  expect(output).not.toContain('operators')
  expect(warnings).toContain(
    'Fewer than two operators: one person decides alone. Add operators with operators add.',
  )
  const [entry] = await auditEntriesOn(ctx, merchantId)
  expect(entry?.details).not.toHaveProperty('four_eyes')
})

test('operators add prints a link once, and again for the same role', async () => {
  const added = await admin('operators', 'add', 'Solo@Company.test', '--role', 'risk')
  expect(added.output).toMatch(/http:\/\/localhost:3000\/console\/enrol#[\w-]{43}\n/)
  expect((await admin('operators', 'add', 'solo@company.test', '--role', 'risk')).output).toContain(
    'Another link',
  )
  expect((await admin('operators', 'add', 'solo@company.test', '--role', 'admin')).code).toBe(1)
  for (const email of ['nonsense', 'solo@company', 'solo@company..test'])
    expect((await admin('operators', 'add', email, '--role', 'risk')).code, email).toBe(2)
  expect((await admin('operators', 'add', 'a@b.test', '--role', 'king')).code).toBe(2)
  expect((await admin('operators', 'list')).output).toContain('solo@company.test  risk')
  expect((await admin('operators', 'remove', 'solo@company.test')).code).toBe(0)
  expect((await admin('operators', 'remove', 'solo@company.test')).code).toBe(1)
  expect((await admin('operators', 'list')).output).toContain('removed')
})

describe('with two operators', () => {
  beforeEach(async () => {
    await admin('operators', 'add', 'rudo@company.test', '--role', 'risk')
    await admin('operators', 'add', 'tino@company.test', '--role', 'admin')
    await admin('operators', 'add', 'fari@company.test', '--role', 'finance')
  })

  test('a guarded command proposes, and another operator approves', async () => {
    const { merchantId } = await makeMerchant(ctx)
    const unnamed = await close(merchantId)
    expect([unnamed.code, unnamed.output]).toEqual([
      1,
      expect.stringContaining('Name yourself with --as EMAIL'),
    ])
    const proposed = await close(merchantId, '--as', 'rudo@company.test')
    const id = idIn(proposed.output)
    expect([proposed.code, await statusOf(merchantId)]).toEqual([0, 'new'])
    expect(proposed.output).toContain(`npm run admin -- proposals approve ${id} --as EMAIL`)
    expect((await admin('proposals', 'list')).output).toContain(id)

    const own = await admin('proposals', 'approve', id, '--as', 'rudo@company.test')
    expect([own.code, own.output]).toEqual([1, 'You proposed this. Somebody else must approve it.'])
    const nobody = await admin('proposals', 'approve', id)
    expect([nobody.code, nobody.output]).toEqual([1, expect.stringContaining('till is no operator')])
    const otherRole = await admin('proposals', 'approve', id, '--as', 'fari@company.test')
    expect([otherRole.code, otherRole.output]).toEqual([1, expect.stringContaining('The role finance')])
    expect(await statusOf(merchantId)).toBe('new')

    const approved = await admin('proposals', 'approve', id, '--as', 'tino@company.test')
    expect([approved.code, await statusOf(merchantId)]).toEqual([0, 'closed'])
    const [entry] = (await auditEntriesOn(ctx, id)).filter(({ action }) => action === 'proposal.approved')
    expect(entry).toMatchObject({ actor: 'tino@company.test', address: 'till@counter' })
    expect((await admin('proposals', 'approve', id, '--as', 'tino@company.test')).code).toBe(1)
  })

  test('a suspension is immediate for everybody at the terminal, and its end is proposed', async () => {
    const { merchantId } = await makeMerchant(ctx)
    const suspended = await admin('merchants', 'suspend', merchantId, '--reason', 'fraud')
    expect([suspended.code, await statusOf(merchantId)]).toEqual([0, 'suspended'])
    const end = ['merchants', 'resume', merchantId, '--reason', 'fine'] as const
    expect((await admin(...end)).code).toBe(1)
    const id = idIn((await admin(...end, '--as', 'rudo@company.test')).output)
    expect(await statusOf(merchantId)).toBe('suspended')
    expect((await admin('proposals', 'approve', id, '--as', 'tino@company.test')).code).toBe(0)
    expect(await statusOf(merchantId)).toBe('new')
  })

  test('a proposal is rejected with a reason', async () => {
    const { merchantId } = await makeMerchant(ctx)
    const id = idIn((await close(merchantId, '--as', 'rudo@company.test')).output)
    const rejected = await admin('proposals', 'reject', id, '--reason', 'no', '--as', 'tino@company.test')
    expect([rejected.code, await statusOf(merchantId)]).toEqual([0, 'new'])
    expect((await admin('proposals', 'list')).output).toBe('No proposal is open.')
  })

  test('FOUR_EYES=off lets one person decide, and marks each audit entry', async () => {
    const { merchantId } = await makeMerchant(ctx)
    const alone = adminIn({ FOUR_EYES: 'off' })
    const { code } = await alone('merchants', 'close', merchantId, '--reason', 'fraud')
    expect([code, await statusOf(merchantId)]).toEqual([0, 'closed'])
    expect(warnings.at(-1)).toContain('FOUR_EYES=off: one person decides alone')
    const [entry] = await auditEntriesOn(ctx, merchantId)
    expect(entry?.details).toMatchObject({ four_eyes: 'off' })
    expect((await alone('doctor')).output).toMatch(/^warning +operators +FOUR_EYES=off: one person decides/m)
  })
})
