import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../apps/server/src/admin/commands.ts'
import { parseCommand } from '../../apps/server/src/admin/parse-command.ts'
import { repository } from '../lib/repository.ts'
import { sources } from '../lib/sources.ts'
import { documentedCommands, scriptOf } from './documented-commands.ts'

const documented = documentedCommands()
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8')

/** The file whose tests run a script, and the words in it that do. */
const runBy: Record<string, readonly [file: string, words: string]> = {
  start: ['e2e/start-stop.spec.ts', "['npm', 'start', '--silent']"],
  demo: ['e2e/commands.spec.ts', "'demo'"],
  dev: ['e2e/commands.spec.ts', "'dev'"],
  sbom: ['scripts/checks/supply-chain.test.ts', "'sbom'"],
  admin: ['e2e/commands.spec.ts', 'npm run --silent admin -- ledger'],
  crash: ['e2e/crash.spec.ts', "'crash'"],
  drill: ['drills/main.test.ts', "'drills/main.ts'"],
  model: ['scripts/random-sequences.test.ts', "'scripts/model.ts'"],
  soak: ['e2e/soak.spec.ts', "'soak'"],
  bench: ['e2e/commands.spec.ts', "'bench'"],
  lighthouse: ['e2e/commands.spec.ts', "'lighthouse'"],
  screenshots: ['e2e/commands.spec.ts', "'screenshots'"],
  'test:browsers': ['e2e/commands.spec.ts', "'test:browsers'"],
  translations: ['scripts/checks/translations.test.ts', "'scripts/translations.ts'"],
  'new-connector': ['scripts/new-connector.test.ts', "'scripts/new-connector.ts'"],
  // The steps of npm test run these programs themselves.
  test: ['scripts/test.ts', 'databaseSteps'],
  check: ['scripts/test.ts', '--fast'],
  'test:timing': ['scripts/lib/plan.ts', "'vitest.timing.config.ts'"],
  schema: ['scripts/lib/plan.ts', 'generate-schema'],
  format: ['scripts/lib/plan.ts', "'biome'"],
  // Of the workspace muripo.
  generate: ['packages/sdk/src/package.test.ts', 'typesSource()'],
  build: ['packages/sdk/src/package.test.ts', "'scripts/build.ts'"],
}

const ofOperators = /^(?:npm run admin --|muripo) /

describe('the commands that README and documents name', () => {
  test('are found', () => {
    const texts = documented.map(({ text }) => text)
    for (const known of [
      'npm start',
      'npm test',
      'npm run demo',
      'npm run admin -- doctor',
      'muripo banking list',
    ])
      expect(texts).toContain(known)
  })

  test('are scripts of package.json, each run by a test', () => {
    const scripts = new Set([
      ...Object.keys(JSON.parse(read('package.json')).scripts),
      ...Object.keys(JSON.parse(read('packages/sdk/package.json')).scripts),
    ])
    const wrong = documented.flatMap(({ at, text }) => {
      const script = scriptOf(text)
      if (script === null) return []
      if (!scripts.has(script)) return [`${at} there is no script ${script}`]
      const [file, words] = runBy[script] ?? []
      const isRun =
        file !== undefined && existsSync(path.join(repository, file)) && read(file).includes(words ?? '')
      return isRun ? [] : [`${at} no test runs ${script}`]
    })
    expect(wrong).toEqual([])
  })

  test('of operators parse as written, and a test of the server runs them', () => {
    const tests = sources('apps/server/{src,test}/**/*.test.ts')
      .map(({ text }) => text)
      .join('\n')
    const wrong = documented
      .filter(({ text }) => ofOperators.test(text))
      .flatMap(({ at, text, isInline }) => {
        const argv = wordsOf(text.replace(ofOperators, ''))
        const isBeginning = isInline && commands.some(({ words }) => words.startsWith(argv.join(' ')))
        if (argv[0] === 'help' || argv[0] === '--version' || isBeginning) return []
        const order = understood(argv)
        if (typeof order === 'string') return [`${at} ${order}`]
        const words = order.command.words.split(' ').map((word) => `'${word}'`)
        return new RegExp(words.join(',\\s*')).test(tests)
          ? []
          : [`${at} no test runs ${order.command.words}`]
      })
    expect(wrong).toEqual([])
  })
})

/** The programs of the operators' book beside npm, and the words of the test or drill that runs them or their like. */
const programs: Record<string, readonly [file: string, words: string]> = {
  muripo: ['scripts/checks/deploy.test.ts', "'usr/local/bin/muripo'"],
  ln: ['scripts/checks/deploy.test.ts', "'ln', '-sfn'"],
  'deploy/install.sh': ['scripts/checks/deploy.test.ts', "'install.sh'"],
  systemctl: ['scripts/checks/deploy.test.ts', "'systemd-analyze', 'verify'"],
  podman: ['drills/container/command.ts', "'buildah'"],
  psql: ['packages/embedded-postgres/src/embedded-postgres.test.ts', 'psql -h "$PWD/data/socket"'],
  patronictl: ['drills/failover/cluster.ts', '/switchover'],
  pgbackrest: ['drills/restore/pgbackrest-tool.ts', "'stanza-create'"],
  printf: ['apps/server/test/traces.test.ts', 'sha256sum | cut -c 1-32'],
}
/** Programs of the system, an editor, and a password store of the operator's choice. */
const ofTheOperator = ['editor', 'install', 'ls', 'pass']

test("the other programs of the operators' book are run by a test or a drill", () => {
  const blocks = [...read('docs/operate.md').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, block = '']) => (language === '' ? [block] : []),
  )
  const named = blocks.flatMap((block) =>
    [...block.matchAll(/^(?:[A-Z]+=\S+(?: \S+\))? )?(deploy\/[\w.]+|[a-z]+) [-"/%a-z]/gm)].map(
      ([, name = '']) => name,
    ),
  )
  const ran = Object.entries(programs).flatMap(([name, [file, words]]) =>
    read(file).includes(words) ? [name] : [],
  )
  expect([...new Set(named)].filter((name) => !['npm', ...ofTheOperator, ...ran].includes(name))).toEqual([])
})

/** A shell's words of a line without variables. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )

function understood(argv: readonly string[]) {
  try {
    return parseCommand(argv, commands) ?? 'asks for help'
  } catch (error) {
    return (error as Error).message
  }
}
