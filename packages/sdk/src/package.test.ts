import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typesSource } from '../scripts/types-source.ts'

const sdk = fileURLToPath(new URL('..', import.meta.url))
const bin = path.join(sdk, '../../node_modules/.bin')
const environment = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
/** A merchant's project, which contains only the published package. */
const project = mkdtempSync(path.join(tmpdir(), 'muripo-sdk-'))
const installed = path.join(project, 'node_modules/muripo')

beforeAll(() => {
  mkdirSync(path.dirname(installed))
  execFileSync('node', [path.join(sdk, 'scripts/build.ts'), installed], { env: environment })
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }')
  cpSync(path.join(sdk, 'examples/create-payment.ts'), path.join(project, 'create-payment.ts'))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

test('the types are those of the contract', () => {
  expect(readFileSync(path.join(sdk, 'src/generated/types.ts'), 'utf8')).toBe(typesSource())
})

test('the published package imports in a bare folder', () => {
  const script =
    "import { Muripo, MuripoError } from 'muripo'; console.log(typeof Muripo, typeof MuripoError)"
  const output = execFileSync('node', ['--input-type=module', '-e', script], {
    cwd: project,
    encoding: 'utf8',
  })
  expect(output.trim()).toBe('function function')
})

test('the package has no dependencies, and contains neither tests nor sources', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  expect(manifest.name).toBe('muripo')
  expect(Object.keys(manifest).filter((name) => /dependencies|private/i.test(name))).toEqual([])
  const files = globSync('**/*.{js,ts}', { cwd: installed })
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([])
  const imports = files.flatMap((file) =>
    [...readFileSync(path.join(installed, file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name),
  )
  expect(imports.length).toBeGreaterThan(5)
  expect(imports.filter((name) => !name?.startsWith('./') && !name?.startsWith('../'))).toEqual([])
})

test('the example compiles with the published types, and a wrong payment does not compile', () => {
  const compile = (file: string) =>
    execFileSync(
      'tsc',
      [
        '--noEmit',
        '--strict',
        '--ignoreConfig',
        '--module',
        'nodenext',
        '--target',
        'esnext',
        '--types',
        'node',
        '--typeRoots',
        path.join(bin, '../@types'),
        file,
      ],
      { cwd: project, env: environment, encoding: 'utf8' },
    )
  expect(compile('create-payment.ts')).toBe('')
  const wrong = readFileSync(path.join(project, 'create-payment.ts'), 'utf8').replace("'USD'", "'dollars'")
  writeFileSync(path.join(project, 'wrong.ts'), wrong)
  expect(() => compile('wrong.ts')).toThrow()
})

test('the README contains the example unchanged', () => {
  const example = readFileSync(path.join(sdk, 'examples/create-payment.ts'), 'utf8')
  expect(readFileSync(path.join(sdk, 'README.md'), 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``)
})
