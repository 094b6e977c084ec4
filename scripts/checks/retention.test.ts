import { expect, test } from 'vitest'
import { retention } from '../../apps/server/src/platform/jobs/retention.ts'
import { owners } from '../lib/schema/owners.ts'
import { sources } from '../lib/sources.ts'

const inWords = (hours: number): string =>
  hours % 24 === 0 && hours > 48 ? `${hours / 24} days` : hours === 1 ? '1 hour' : `${hours} hours`

test('docs/operate.md lists every retention period', () => {
  const [operate] = sources('docs/operate.md')
  const [, chapter = ''] = operate?.text.split('\n## Retention and erasure\n') ?? []
  const rows = Object.values(retention).map(
    ({ tables, hours, since }) =>
      `| ${tables.map((table) => `\`${table}\``).join(', ')} | ${inWords(hours)} | ${since} |`,
  )
  expect(chapter.split('\n## ', 1)[0]?.match(/^\| `.*$/gm)).toEqual(rows)
})

test('each table with a retention period exists', () => {
  const tables = owners.flatMap((owner) => owner.tables)
  const named = Object.values(retention).flatMap((period) => period.tables as readonly string[])
  expect(named.filter((table) => !tables.includes(table))).toEqual([])
})
