import { expect, test } from '@playwright/test'
import { runNpmScript } from './lib/commands.ts'

test('an upgrade and its way back lose nothing, double nothing, and answer no call with a server error', async () => {
  test.setTimeout(300_000)
  const options = ['--from', 'present', '--seconds', '1', '--customers', '3']
  const { code, output } = await runNpmScript('drill', 'upgrade', ...options)
  const figure = (name: string) => new RegExp(`^${name}\\s+(.+)$`, 'm').exec(output)?.[1]
  for (const name of [
    'lost',
    'duplicated',
    'half done',
    'unresolved',
    'other server errors and broken calls',
  ])
    expect(figure(name), output).toBe('0')
  for (const name of ['migrations', 'acknowledged payments', 'paid', 'events delivered'])
    expect(Number(figure(name)), output).toBeGreaterThan(0)
  expect(code, output).toBe(0)
})
