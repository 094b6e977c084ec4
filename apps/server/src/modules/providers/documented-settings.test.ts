import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { providerNames } from './account-name.ts'
import { catalogue } from './catalogue.ts'

/** The rows of the table of variables: the name, the default, and whether it is a secret. */
function documented(provider: string): string[][] {
  const text = readFileSync(new URL(`../../../../../docs/providers/${provider}.md`, import.meta.url), 'utf8')
  const [, section = ''] = /\n## (?:Configuration|Settings)\n(.*?)\n## /s.exec(text) ?? []
  return section.split('\n').flatMap((line) => {
    const [names = '', ...cells] = line.split(' | ')
    const variables = /^\| `[A-Z]/.test(line) ? [...names.matchAll(/`([A-Z_]+)`/g)] : []
    return variables.map(([, name = '']) => [name, ...cells.slice(0, 2)])
  })
}

/** The default in production as people write it; none for a variable that is required or optional. */
function presetOf(declared: z.ZodType): string {
  const { data } = declared.safeParse(undefined)
  return data === undefined ? 'none' : `\`${[data].flat().join(', ')}\``
}

test.each(providerNames)('the page of %s lists the variables of the schema', (provider) => {
  const { prefix, shape, shown, hasTestNumbers } = catalogue[provider].settings
  const isOfNumbers = ([name]: readonly string[]) => name === `${prefix}TEST_NUMBERS`
  const rows = documented(provider)
  expect(rows.filter((row) => !isOfNumbers(row)).toSorted()).toEqual(
    Object.entries(shape)
      .map(([name, declared]) => [prefix + name, presetOf(declared), shown.includes(name) ? 'no' : 'yes'])
      .toSorted(),
  )
  expect(rows.some(isOfNumbers)).toBe(hasTestNumbers)
})
