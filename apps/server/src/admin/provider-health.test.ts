import { afterAll, expect, test } from 'vitest'
import { terminalOf } from '../../test/terminal.ts'
import { testCtx } from '../../test/test-ctx.ts'
import { scriptedProvider } from '../modules/payments/factory.ts'
import { createProviderCalls, ProviderError } from '../modules/providers/index.ts'

const ctx = await testCtx()
afterAll(() => ctx.close())
const { admin } = terminalOf(ctx.databaseUrl)

test('an operator sees the calls to each provider, and its budget', async () => {
  const script = scriptedProvider()
  const calls = createProviderCalls(ctx, new Map([['ecocash', 100]]))
  const guarded = calls.guard({ ...script.connector, id: 'ecocash' })
  const request = { accountId: 'mer_01jdw0000000000000000000aa', key: 'k', msisdn: null, state: null }
  const lookUp = () => guarded.lookup(request as Parameters<typeof guarded.lookup>[0]).catch(() => undefined)
  await lookUp()
  script.lookup = async () => Promise.reject(new ProviderError('unknown', 'no answer'))
  await lookUp()
  // The command reads the real time of the database.
  ctx.clock.advance(Date.now() - ctx.clock.now().getTime())
  await calls.exchange()
  const { code, output } = await admin('providers', 'health')
  expect(code).toBe(0)
  const [ecocash = '', innbucks = ''] = ['ecocash', 'innbucks'].map((id) =>
    output.split('\n\n').find((each) => each.startsWith(`${id} `)),
  )
  expect(ecocash).toMatch(/calls +2\n/)
  expect(ecocash).toMatch(/without an answer +1 \(50 %\)/)
  expect(ecocash).toMatch(/calls left at once +\d/)
  expect(innbucks).toMatch(/calls +0/)
})
