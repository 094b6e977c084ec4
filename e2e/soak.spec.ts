import { expect, test } from '@playwright/test'
import { runNpmScript } from './lib/commands.ts'

test('the ledger and the records of all providers agree after attempts with misbehaviour, and nothing is lost or duplicated', async () => {
  test.setTimeout(300_000)
  const { code, output } = await runNpmScript(
    'soak',
    '--attempts',
    '60',
    '--seed',
    '3',
    '--concurrency',
    '16',
  )
  const reported = (name: string) => new RegExp(`^${name}\\s+(.+)$`, 'm').exec(output)?.[1]
  for (const name of ['lost', 'doubled', 'wrong', 'unresolved']) expect(reported(name)).toBe('0')
  for (const name of ['attempts', 'payments', 'ended', 'paid at the providers'])
    expect(Number.parseInt(reported(name) ?? '', 10)).toBeGreaterThan(0)
  expect(code).toBe(0)
})
