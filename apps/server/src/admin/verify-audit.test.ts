import { afterAll, expect, test } from 'vitest'
import { terminalOf } from '../../test/terminal.ts'
import { testCtx } from '../../test/test-ctx.ts'
import { systemActor } from '../platform/audit/actor.ts'
import { audit } from '../platform/audit/audit.ts'
import { newestSeal, sealAudit } from '../platform/audit/audit-seals.ts'

const ctx = await testCtx()
afterAll(() => ctx.close())
const { admin } = terminalOf(ctx.databaseUrl)
const entry = { action: 'application.created', subject: 'app', accountId: null } as const

test('an operator verifies the audit log, and is told what the answer does not show', async () => {
  await ctx.db.tx((tx) => audit(ctx, tx, systemActor('test'), entry))
  expect(await admin('audit', 'verify')).toEqual({
    code: 0,
    output: 'No entry is sealed yet. 1 entries wait for the first seal.',
  })
  await sealAudit(ctx)
  const head = (await newestSeal(ctx.db.kysely))?.hash ?? ''
  const alone = await admin('audit', 'verify')
  expect(alone).toEqual({ code: 0, output: expect.stringContaining(`Head: ${head}, seal 1 of `) })
  expect(alone.output).toContain('All 1 entries of 1 seals are as they were sealed.')
  expect(alone.output).toContain('can delete the last entries with their seals, or rewrite all')
  const withHead = await admin('audit', 'verify', '--head', head)
  expect(withHead.output).toContain('The given head is in the chain')
  expect(await admin('audit', 'verify', '--head', '0'.repeat(64))).toEqual({
    code: 1,
    output: 'The given head is not in the chain: it was cut or rewritten.',
  })
  expect((await admin('audit', 'verify', '--head', 'x')).code).toBe(2)
})

test('a deleted entry ends the verification with exit code 1', async () => {
  await ctx.db.pool.query(
    "set session_replication_role = 'replica'; delete from audit_log; reset session_replication_role",
  )
  expect(await admin('audit', 'verify')).toEqual({
    code: 1,
    output: 'Entries of seal 1 are missing: 1 of 1.',
  })
})
