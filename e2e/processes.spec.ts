import { expect, test } from '@playwright/test'
import { runNpmScript } from './lib/commands.ts'

test('eight processes execute each task once while some stop, freeze and are killed', async () => {
  test.setTimeout(300_000)
  const { code, output } = await runNpmScript(
    'drill',
    'processes',
    '--count',
    '8',
    '--seconds',
    '2',
    '--customers',
    '4',
  )
  const figure = (name: string) => new RegExp(`^${name}\\s+(.+)$`, 'm').exec(output)?.[1]
  for (const name of ['lost', 'duplicated', 'half done', 'unresolved']) expect(figure(name), output).toBe('0')
  for (const name of ['acknowledged payments', 'events delivered'])
    expect(Number.parseInt(figure(name) ?? '', 10), output).toBeGreaterThan(0)
  expect(code, output).toBe(0)
})
