import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../lib/repository.ts'
import { sources, typescript } from '../lib/sources.ts'
import { importsOf, targetOf } from './imports.ts'
import { brokenRule, mayImport } from './may-import.ts'

test('every import goes in an allowed direction', () => {
  const broken = sources(...typescript).flatMap((source) =>
    importsOf(source).flatMap(({ specifier, line }) => {
      const target = targetOf(source.file, specifier)
      const rule = target && brokenRule(source.file, target)
      return rule ? [`${source.file}:${line} imports ${specifier}: ${rule}`] : []
    }),
  )
  expect(broken).toEqual([])
})

test('the table of modules has no circle', () => {
  const reaches = (from: string, to: string): boolean =>
    (mayImport[from] ?? []).some((next) => next === to || reaches(next, to))
  expect(Object.keys(mayImport).filter((module) => reaches(module, module))).toEqual([])
})

const modules = 'apps/server/src/modules'

test('no two folders of a module import each other', () => {
  const folderOf = (file: string) => new RegExp(`^${modules}/([^/]+/[^/]+)/`).exec(file)?.[1]
  const imported = new Set<string>()
  for (const source of sources(`${modules}/**/*.ts`)) {
    const from = folderOf(source.file)
    if (/\.test\.ts$/.test(source.file) || !from) continue
    for (const { specifier } of importsOf(source)) {
      const to = folderOf(targetOf(source.file, specifier) ?? '')
      if (to && to !== from && to.split('/')[0] === from.split('/')[0]) imported.add(`${from} ${to}`)
    }
  }
  const pairs = [...imported].filter((pair) => {
    const [one = '', other = ''] = pair.split(' ')
    return one < other && imported.has(`${other} ${one}`)
  })
  expect(pairs).toEqual([])
})

test.each([
  [`${modules}/ledger/store.ts`, `${modules}/payments/index.ts`],
  [`${modules}/payments/actions/a.ts`, `${modules}/ledger/store.ts`],
  [`${modules}/unheard-of/index.ts`, `${modules}/ledger/index.ts`],
  ['apps/server/src/platform/http/server.ts', `${modules}/ledger/index.ts`],
  ['apps/server/src/platform/clock.ts', 'apps/server/src/app.ts'],
  ['apps/server/src/app.ts', 'apps/server/test/test-ctx.ts'],
  ['apps/web/app/root.tsx', 'apps/server/src/app.ts'],
  ['apps/web/app/features/settings/profile.tsx', 'apps/web/app/features/applications/manage.tsx'],
  ['apps/web/app/components/money.tsx', 'apps/web/app/features/site/landing.tsx'],
  ['apps/web/app/lib/forms.ts', 'apps/web/app/components/toast.ts'],
  ['apps/web/app/session/store.ts', 'apps/web/app/api/account.ts'],
  ['apps/web/app/unheard-of/a.ts', 'apps/web/app/lib/paths.ts'],
  ['apps/web/app/shell/toaster.tsx', 'apps/web/app/root.tsx'],
  ['packages/contract/src/money.ts', 'packages/sdk/src/index.ts'],
  ['e2e/pay.spec.ts', 'apps/server/src/app.ts'],
  ['bench/main.ts', 'apps/server/src/app.ts'],
  ['scripts/lib/child.ts', 'bench/lib/gateway.ts'],
  ['scripts/checks/bench.test.ts', 'bench/lib/options.ts'],
  ['bench/lib/gateway.ts', 'drills/lib/gateway.ts'],
  ['bench/main.ts', 'scripts/start.ts'],
  ['packages/rig/src/gateway.ts', 'bench/lib/gateway.ts'],
  ['packages/rig/src/gateway.ts', 'apps/server/src/main.ts'],
  ['packages/rig/src/gateway.ts', 'scripts/start.ts'],
  ['packages/testing/src/pdf.ts', 'packages/rig/src/gateway.ts'],
  ['scripts/lib/supervisor.ts', 'packages/rig/src/gateway.ts'],
])('refused: %s imports %s', (from, to) => {
  expect(brokenRule(from, to)).toBeTypeOf('string')
})

test.each([
  [`${modules}/payments/actions/a.ts`, `${modules}/ledger/index.ts`],
  [`${modules}/payments/actions/a.ts`, `${modules}/payments/store.ts`],
  [`${modules}/payments/actions/a.test.ts`, 'apps/server/test/test-ctx.ts'],
  ['apps/server/src/app.ts', `${modules}/ledger/routes.ts`],
  ['apps/web/app/routes.ts', 'apps/web/app/features/auth/sign-in.tsx'],
  ['apps/web/app/features/auth/sign-in.tsx', 'apps/web/app/session/session.ts'],
  ['apps/web/app/features/auth/sign-in.tsx', 'packages/contract/src/auth.ts'],
  ['scripts/start.ts', 'packages/embedded-postgres/src/embedded-postgres.ts'],
  ['bench/lib/meter.test.ts', 'apps/server/test/test-database.ts'],
  ['bench/lib/gateway.ts', 'scripts/lib/child.ts'],
  ['drills/overload/run.ts', 'bench/lib/generator.ts'],
  ['packages/rig/src/gateway.ts', 'scripts/lib/child.ts'],
  ['packages/rig/src/merchant.ts', 'packages/testing/src/pdf.ts'],
  ['bench/lib/gateway.ts', 'packages/rig/src/gateway.ts'],
  ['scripts/lighthouse/main.ts', 'packages/rig/src/gateway.ts'],
])('allowed: %s imports %s', (from, to) => {
  expect(brokenRule(from, to)).toBeUndefined()
})

test('the architecture document has the same table of modules', () => {
  const [document] = sources('docs/architecture.md')
  const rows = [...(document?.text ?? '').matchAll(/^\| (\w+) \| [^|]+ \|([^|]*)\|$/gm)]
  const documented = rows.filter(([, module = '']) => module in mayImport)
  expect(documented.map(([, module]) => module)).toEqual(
    readdirSync(path.join(repository, modules)).toSorted(
      (a, b) => Object.keys(mayImport).indexOf(a) - Object.keys(mayImport).indexOf(b),
    ),
  )
  for (const [, module = '', may = ''] of documented)
    expect(
      may
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ).toEqual(mayImport[module])
})
