import { expect, test } from '@playwright/test'
import { runNpmScript } from './lib/commands.ts'

test('a restore to a moment has everything that was acknowledged before it', async () => {
  // The drill's own time limits for the archive and the open payments exceed the limit of a test.
  test.setTimeout(600_000)
  const { code, output } = await runNpmScript('drill', 'restore', '--seconds', '2', '--customers', '3')
  const figure = (name: string) => new RegExp(`^${name}\\s+(.+)$`, 'm').exec(output)?.[1]
  for (const name of ['lost', 'duplicated', 'half done', 'unresolved']) expect(figure(name), output).toBe('0')
  for (const name of [
    'payments acknowledged before the moment',
    'payments acknowledged after it, not restored',
  ])
    expect(Number(figure(name))).toBeGreaterThan(0)
  expect(code).toBe(0)
})
