import { expect, test } from 'vitest'
import { sources } from '../lib/sources.ts'

test('docs/operate.md lists how several processes share each background task', () => {
  const code = sources('apps/server/src/**/*.ts').filter(({ file }) => !file.endsWith('.test.ts'))
  const names = code.flatMap(({ text }) =>
    [...text.matchAll(/name: '([a-z-]+)',\s+pauseMs:/g)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(15)
  const [operate] = sources('docs/operate.md')
  const [, chapter = ''] = operate?.text.split('## Roles of a process\n') ?? []
  const rows = chapter.split('\n## ', 1)[0] ?? ''
  expect(names.filter((name) => !rows.includes(`\`${name}\``))).toEqual([])
})
