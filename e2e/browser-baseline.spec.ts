import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { features } from 'web-features'
import { repository } from '../scripts/lib/repository.ts'
import { webBuild } from '../scripts/lib/web-build.ts'

const built = (extension: string): string =>
  globSync(path.join(webBuild, `client/assets/*.${extension}`))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

/** The oldest supported browsers and their versions. */
const { browserslist } = JSON.parse(readFileSync(path.join(repository, 'apps/web/package.json'), 'utf8')) as {
  browserslist: string[]
}
const baseline = browserslist.map((each) => each.split(' ') as [browser: string, version: string])

type Support = Readonly<Record<string, string | undefined>>

/** The used part of an entry; one that has moved has no status. */
interface Feature {
  readonly status?: { readonly by_compat_key?: Readonly<Record<string, { readonly support: Support }>> }
}

const isIn = (support: Support): boolean =>
  baseline.every(([browser, version]) => Number.parseFloat(support[browser] ?? '') <= Number(version))

/** The names of the platform, "javascript.builtins.Array.toSorted", and whether the oldest supported browsers have them. */
const names = new Map(
  Object.values(features as Readonly<Record<string, Feature>>).flatMap(({ status }) =>
    Object.entries(status?.by_compat_key ?? {}).map(([name, { support }]) => [name, isIn(support)] as const),
  ),
)
const lacking = [...names].filter(([, isKnown]) => !isKnown).map(([name]) => name)
const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Names that an older object has too, or that a library uses only where they exist. */
const allowed: ReadonlySet<string> = new Set([
  // Chrome 103, Safari 16 and Firefox 100 have it; later versions changed its error only.
  'AbortSignal.timeout',
  // React Router and React test for these.
  ...['Error.isError', 'PublicKeyCredential.getClientCapabilities'],
  ...['PublicKeyCredential.isConditionalMediationAvailable', 'PublicKeyCredential.signalUnknownCredential'],
  ...['PublicKeyCredential.signalAllAcceptedCredentials', 'PublicKeyCredential.signalCurrentUserDetails'],
])

test('the scripts of the client call no function that the oldest supported browsers lack', () => {
  const script = built('js')
  expect(script.length).toBeGreaterThan(100_000)
  const statics = lacking
    .filter((name) => name.endsWith('_static'))
    .map((name) =>
      name
        .replace(/_static$/, '')
        .split('.')
        .slice(-2)
        .join('.'),
    )
  const known = new Set([...names].filter(([, isKnown]) => isKnown).map(([name]) => lastOf(name)))
  const methods = lacking
    .filter((name) => /^javascript\.builtins\.(Array|String|Set|Map|Promise|Object|RegExp)\.\w+$/.test(name))
    .map(lastOf)
    .filter((method) => !known.has(method) && !['Set', 'Map', 'RegExp'].includes(method))
  const calls = [
    ...statics.filter((name) => new RegExp(`\\b${name.replace('.', '\\.')}\\b`).test(script)),
    ...methods.filter((method) => new RegExp(`\\.${method}\\(`).test(script)),
  ]
  expect(calls.filter((name) => !allowed.has(name))).toEqual([])
  expect([statics.includes('AbortSignal.any'), methods.includes('toSorted')]).toEqual([true, true])
})

/** Decoration that a browser may leave out: the page stays usable. A ring for the focus has another rule where `:has` is unknown. */
const decoration: ReadonlySet<string> = new Set([
  ...['has', 'color-mix', 'starting-style'],
  // A rounded shape of an older notation, and pseudo-classes of printed pages that begin like other names.
  ...['rect', 'first', 'left', 'right', 'column', 'marker', 'type'],
])

test('the styles of the client need no selector, rule or function that the oldest supported browsers lack', () => {
  const styles = built('css')
  const found = lacking.filter((name) => {
    const last = lastOf(name)
    if (/^css\.selectors\.[\w-]+$/.test(name)) return new RegExp(`:${last}\\b`).test(styles)
    if (/^css\.at-rules\.[\w-]+$/.test(name)) return new RegExp(`@${last}\\b`).test(styles)
    return /^css\.types\./.test(name) && new RegExp(`\\b${last}\\(`).test(styles)
  })
  expect(found.map(lastOf).filter((name) => !decoration.has(name))).toEqual([])
  // Nested rules are rewritten for the baseline.
  expect(styles).not.toMatch(/[{;]&/)
})
