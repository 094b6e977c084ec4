import { expect, test } from '@playwright/test'
import { runNpmScript } from './lib/commands.ts'

// This seed kills the gateway once, its database once, and both together once.
test('confirmed payments, refunds, transfers, wallet entries and webhooks exist once after a kill', async () => {
  const { code, output } = await runNpmScript('crash', '--kills', '3', '--seed', '9', '--customers', '3')
  const figure = (name: string) => new RegExp(`^${name}\\s+(.+)$`, 'm').exec(output)?.[1]
  expect(figure('kills')).toBe('1 gateway, 1 PostgreSQL, 1 both')
  for (const name of ['lost', 'duplicated', 'half done', 'unresolved']) expect(figure(name)).toBe('0')
  for (const name of ['acknowledged payments', 'paid', 'events delivered'])
    expect(Number.parseInt(figure(name) ?? '', 10)).toBeGreaterThan(0)
  expect(code).toBe(0)
})
