import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../lib/repository.ts'
import { findings, type Source, sources, typescript, withoutComments } from '../lib/sources.ts'

/** Files that may read the time, random numbers and the process; all others receive them as arguments. */
const floor =
  /^(scripts|bench|drills|e2e)\/|^apps\/web\/|^packages\/(sdk|rig)\/|^apps\/[^/]+\/test\/|\.test\.tsx?$|^apps\/server\/src\/platform\/(clock|ids|config)\.ts$|^apps\/simulator\/src\/config\.ts$|^apps\/[^/]+\/src\/(admin\/)?(main|testing)\.ts$/

const code = sources(...typescript)
const aboveTheFloor = code.filter(({ file }) => !floor.test(file))
const money = code.filter(
  ({ file }) => /^(apps\/server\/src|packages\/contract)\//.test(file) && !/\.test\.ts$/.test(file),
)

test.each([
  ['the time of day', /\bDate\.now\b|\bnew Date\(\)|\bTemporal\.Now\b/],
  ['chance', /\bMath\.random\b/],
  ['the environment', /\bprocess\.env\b/],
  // A permission of the operator's console and its file are in quotes.
  ['the console', /(?<!['/])\bconsole\.\w+/],
])('only the floor reads %s', (_what, banned) => {
  expect(findings(aboveTheFloor, banned)).toEqual([])
})

test('the rules above look at something', () => {
  expect(aboveTheFloor.length).toBeGreaterThan(50)
  expect(money.length).toBeGreaterThan(30)
})

test('money is never a fraction', () => {
  expect(findings(money, /\.toFixed\(|\bparseFloat\b/)).toEqual([])
})

test('no unit test replaces a module, because the files of a worker share their modules', () => {
  const unitTests = code.filter(({ file }) => file.endsWith('.test.ts'))
  expect(unitTests.length).toBeGreaterThan(100)
  expect(findings(unitTests, /\bvi\.(mock|doMock)\(/)).toEqual([])
})

test('nothing is left to do in a comment', () => {
  const word = /\bTO[D]O\b|\bFIX[M]E\b|\bXX[X]\b/
  const all = [...code, ...sources('**/*.{md,sql,css,yml,yaml,sh}')]
  expect(
    all.flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (word.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    ),
  ).toEqual([])
})

const styleImport = /import (\w+) from '([^']+\.module\.css)'/g

test('components use the classes of their style sheets, and no others', () => {
  const users = code.flatMap(({ file, text }) =>
    [...text.matchAll(styleImport)].map(([, name = '', from = '']) => ({
      file,
      sheet: path.posix.join(path.posix.dirname(file), from),
      text,
      used: [...text.matchAll(new RegExp(`(?<![/\\w.-])${name}\\.(\\w+)`, 'g'))].map(([, used = '']) => used),
    })),
  )
  const sheets = sources('apps/web/app/**/*.module.css').map(({ file, text }) => {
    const selectors = withoutComments(text).replace(/:global\([^)]*\)|\d\.\d/g, '')
    return {
      file,
      classes: new Set([...selectors.matchAll(/\.([a-zA-Z]\w*)/g)].map(([, name = '']) => name)),
    }
  })
  expect(sheets.length).toBeGreaterThan(30)
  const problems = sheets.flatMap(({ file, classes }) => {
    const own = users.filter(({ sheet }) => sheet === file)
    const missing = own.flatMap((user) =>
      user.used.filter((name) => !classes.has(name)).map((name) => `${user.file}: ${name}`),
    )
    const isUsed = (name: string) =>
      own.some(({ used, text }) => used.includes(name) || text.includes(`'${name}'`))
    return [...missing, ...[...classes].filter((name) => !isUsed(name)).map((name) => `${file}: ${name}`)]
  })
  expect(problems).toEqual([])
})

test('text has the sizes and weights of the type scale', () => {
  const raw =
    /font-size: .*?\d(px|rem|vw)|font-weight: (\d|bold)|\bfont: (?!inherit)|\b(fontSize|fontWeight|fz|fw)(=\{?|: )["']?\d/
  // The range of the font file, and letters that are part of a drawing.
  const others = /font-weight: 100 900|components\/logo\.tsx|<text /
  const styles = sources('apps/web/app/**/*.{css,ts,tsx}').filter(({ file }) => !file.endsWith('/tokens.css'))
  expect(findings(styles, raw).filter((line) => !others.test(line))).toEqual([])
})

/** A path in backticks that begins with one of our rooms, or a relative link. */
function namedFiles({ file, text }: Source): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  const quoted = [...prose.matchAll(/`((?:apps|packages|e2e|bench|docs|deploy|scripts)\/[\w./-]+)`/g)].map(
    ([, name]) => name ?? '',
  )
  const linked = [...prose.matchAll(/\]\((?!\w+:|#|\/)([^)#\s]+)/g)].map(([, name]) =>
    path.posix.join(path.posix.dirname(file), name ?? ''),
  )
  return [...quoted, ...linked]
}

test('documents name only files that exist', () => {
  const missing = sources('*.md', '{docs,apps,packages,e2e,bench,deploy}/**/*.md').flatMap((document) =>
    namedFiles(document)
      .filter((name) => !existsSync(path.join(repository, name)))
      .map((name) => `${document.file} names ${name}`),
  )
  expect(missing).toEqual([])
})

/** An event type that looks like the name of a test. */
const eventType = 'webhook.test.ts'

/** File names in backticks, as an end of a path: `payments/machine.ts`, `model.test`, `sessions/tokens.ts`. */
const endsOfPaths = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([\w./-]+\.(?:tsx?|test))`/g)].map(([, name = '']) =>
    name.endsWith('.test') ? `${name}.ts` : name,
  )

/** Decisions describe the past and may name files that no longer exist. */
test('documents name only ends of paths that exist', () => {
  const files = sources(...typescript).map(({ file }) => `/${file}`)
  const missing = sources('*.md', 'docs/*.md', 'docs/providers/*.md').flatMap(({ file, text }) =>
    endsOfPaths(text)
      .filter((name) => name !== eventType && !name.includes('/generated/'))
      .filter((name) => !files.some((path) => path.endsWith(`/${name}`)))
      .map((name) => `${file} names ${name}`),
  )
  expect(missing).toEqual([])
})

test('the tables of a standard name files by an end of the path that no other file has', () => {
  const files = sources(...typescript).map(({ file }) => `/${file}`)
  const [document] = sources('docs/asvs.md')
  const named = endsOfPaths(document?.text ?? '')
  expect(named.length).toBeGreaterThan(50)
  const counts = named.map((name) => [name, files.filter((file) => file.endsWith(`/${name}`)).length])
  expect(counts.filter(([, count]) => count !== 1)).toEqual([])
})
