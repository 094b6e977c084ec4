import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pageTokens } from './page-tokens.ts'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

test("the payer's page has each token that it uses, with its dark value, and no other", async () => {
  const styles = await read('checkout.css')
  const tokens = await read('../../components/ui/tokens.css')
  const [light = '', dark = ''] = pageTokens(tokens, styles).split('@media screen')
  const namesIn = (text: string, pattern: RegExp) =>
    new Set([...text.matchAll(pattern)].map(([, name]) => name))
  const used = namesIn(styles, /var\((--[\w-]+)/g)
  expect(namesIn(light, /(--[\w-]+):/g)).toEqual(used)
  expect(used.size).toBeGreaterThan(20)
  const inBoth = [...namesIn(tokens.split('@media screen')[1] ?? '', /(--[\w-]+):/g)]
  expect(namesIn(dark, /(--[\w-]+):/g)).toEqual(new Set(inBoth.filter((name) => used.has(name))))
  expect(dark).toContain('--paper:#111a2b;')
})
