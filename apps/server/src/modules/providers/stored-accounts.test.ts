import { expect, test } from 'vitest'
import { keysOf, testMasterKey } from '../../../test/master-key.ts'
import { testCtx } from '../../../test/test-ctx.ts'
import { encryptSettings, variablesIn } from './stored-accounts.ts'

const keys = keysOf(testMasterKey)
const variables = { PAYNOW_USD_KEY: 'secret' }
const settings = encryptSettings(keys, 'paynow', 2, variables)
const row = { id: 'paynow', version: 2, settings, disabledAt: null, changedAt: new Date() }

test('settings are read in their own row and version, with their own master key', () => {
  expect(variablesIn(keys, row)).toEqual(variables)
  expect(variablesIn(keys, { ...row, version: 0, settings: null })).toBeNull()
  for (const change of [{ id: 'paynow-2' }, { version: 3 }, { settings: settings.subarray(0, -1) }])
    expect(() => variablesIn(keys, { ...row, ...change })).toThrow('cannot be decrypted')
  expect(() => variablesIn(keysOf(Buffer.alloc(32, 7)), row)).toThrow('cannot be decrypted')
})

test('the database keeps every account, and raises the version with the settings only', async () => {
  const ctx = await testCtx()
  const run = (statement: string) => ctx.db.pool.query(statement)
  await ctx.db.pool.query('insert into provider_accounts values ($1, 2, $2, null, now())', [
    'paynow',
    settings,
  ])
  for (const statement of [
    'update provider_accounts set version = 1',
    'update provider_accounts set version = 3',
    "update provider_accounts set settings = settings || '\\x00'",
  ])
    await expect(run(statement)).rejects.toThrow('rises with its settings')
  await expect(run('delete from provider_accounts')).rejects.toThrow()
  await run('update provider_accounts set disabled_at = now()')
  await ctx.close()
})
