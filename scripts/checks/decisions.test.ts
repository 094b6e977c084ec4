import path from 'node:path'
import { expect, test } from 'vitest'
import { sources } from '../lib/sources.ts'

const records = sources('docs/decisions/[0-9]*.md')
const index = sources('docs/decisions/README.md')[0]?.text ?? ''
const rows = [...index.matchAll(/^\| (\d+) \| \[(.+)\]\((.+)\) \| .+ \| (.+) \|$/gm)]

test('the index lists each decision with its number and title', () => {
  expect(records.length).toBeGreaterThan(25)
  expect(rows.map(([, number, title, file]) => `${file} # ${number}. ${title}`)).toEqual(
    records.map(({ file, text }) => `${path.posix.basename(file)} ${text.split('\n', 1)[0]}`),
  )
})

test('each decision has the number of its file', () => {
  expect(records.map(({ file }) => Number(path.posix.basename(file).slice(0, 4)))).toEqual(
    rows.map(([, number]) => Number(number)),
  )
})

test('a superseded decision names a later one that exists', () => {
  const numbers = rows.map(([, number]) => Number(number))
  for (const [, number, , , status] of rows) {
    const [, later] = /^superseded by (\d+)/.exec(status ?? '') ?? []
    if (later) {
      expect(numbers).toContain(Number(later))
      expect(Number(later)).toBeGreaterThan(Number(number))
    }
  }
})

test('each decision has a status, the context, the decision and the consequences, in this order', () => {
  const malformed = records.filter(({ text }) => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    return headings.join() !== 'Context,Decision,Consequences' || !/^# .+\n\nStatus: \S/.test(text)
  })
  expect(malformed.map(({ file }) => file)).toEqual([])
})
