import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../lib/repository.ts'
import { deploy, isInstalled, run } from './deploy.ts'

const canary = 'MURIPO_MASTER_KEY=canary-5f3a'

/** Where operators put secrets: the places that the documents name, the ones of earlier versions, and likely ones beside them. */
const secretFiles = [
  '.env',
  '.env.local',
  'muripo.env',
  'new.env',
  'shop.env',
  'production.env.bak',
  'secrets.json',
  'rudo.json',
  'tariro.json',
  'certificate.pdf',
  'muripo.dump',
  'server.key',
  'server.pem',
  'nohup.log',
  'data/secrets.json',
  'data/postgres.password',
  'data/postgres/PG_VERSION',
  'data-demo/secrets.json',
  'data-prod/secrets.json',
  'backup/base/20261126T000000000Z/secrets.json',
  'backups/base/20261126T000000000Z/manifest.json',
  'backups/wal/000000010000000000000001',
  'logs/gateway.txt',
  'test-results/trace.zip',
  '.cache/secret',
  'deploy/compose/.env',
  'deploy/compose/muripo.env',
  'deploy/compose/compose.env',
  'deploy/compose/backups/muripo.dump',
  'deploy/compose/data/secrets.json',
  'deploy/kubernetes/secret.yaml',
  'deploy/kubernetes/secret.env',
  'deploy/systemd/muripo.env',
  'apps/server/.env',
  'apps/server/muripo.env',
  'apps/server/data/secrets.json',
  'apps/server/data-prod/secrets.json',
  'apps/server/backups/wal/000000010000000000000001',
  'apps/server/src/.env',
  'apps/server/src/muripo.env',
  'apps/server/src/secrets.json',
  'apps/server/src/admin/gateway.log',
  'apps/web/.env.production',
  'apps/web/app/.env.local',
  'apps/web/test-results/trace.zip',
  'packages/sdk/.env',
  'packages/sdk/examples/.env',
  'scripts/.env',
  'scripts/lib/.env',
]

const git = (directory: string, ...args: string[]) =>
  execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)

const tracked = git(repository, 'ls-files', '-z')

/** The rules of Docker: a path has the verdict of the last pattern that matches it or a directory above it. */
const rules = readFileSync(path.join(repository, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const pattern = line.replace(/^!/, '')
    const parts = pattern.split(/(\*\*\/|\*\*|\*)/).map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      return part === '*' ? '[^/]*' : part.replaceAll(/[\\.+^$?()[\]{}|]/g, '\\$&')
    })
    return { pattern, isCopied: line.startsWith('!'), form: new RegExp(`^${parts.join('')}$`) }
  })

const aboveAndSelf = (file: string): string[] =>
  file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))

function isExcluded(file: string): boolean {
  const paths = aboveAndSelf(file)
  return rules.reduce(
    (is, { isCopied, form }) => (paths.some((each) => form.test(each)) ? !isCopied : is),
    false,
  )
}

/** Docker does not enter an excluded directory unless the text of an exception begins with it. */
const isInContext = (file: string): boolean =>
  !isExcluded(file) &&
  aboveAndSelf(path.dirname(file)).every(
    (directory) =>
      directory === '.' ||
      !isExcluded(directory) ||
      rules.some(({ pattern, isCopied }) => isCopied && `${pattern}/`.startsWith(`${directory}/`)),
  )

const directory = mkdtempSync(path.join(tmpdir(), 'muripo-release-'))
const checkout = path.join(directory, 'checkout')
afterAll(() => rmSync(directory, { recursive: true }))

/** A copy of the checkout with secrets in it. */
beforeAll(() => {
  mkdirSync(checkout)
  for (const file of tracked) cpSync(path.join(repository, file), path.join(checkout, file))
  for (const file of secretFiles) {
    mkdirSync(path.join(checkout, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(checkout, file), canary)
  }
})

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))

const withCanary = (folder: string): string[] =>
  filesBelow(folder).filter((file) => readFileSync(path.join(folder, file)).includes(canary))

/** The part of the sources that a running gateway and its build need. */
const isOfRelease = (file: string): boolean =>
  /^(apps|packages)\/[^/]+\/(?!test\/|README)/.test(file) &&
  !/^packages\/(rig|testing)\/(src|tsconfig)/.test(file)

describe('a release contains the sources and no secret', () => {
  test('by the rules of .dockerignore', () => {
    expect(tracked.filter((file) => isOfRelease(file) && !isInContext(file))).toEqual([])
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.base.json', 'scripts/start.ts'])
      expect(isInContext(file), file).toBe(true)
    expect(filesBelow(checkout).filter((file) => isInContext(file) && secretFiles.includes(file))).toEqual([])
  })

  test('in the context of an image that buildah builds', { skip: !isInstalled('buildah') }, () => {
    const store = [
      '--root',
      path.join(directory, 'store'),
      '--runroot',
      path.join(directory, 'run'),
      '--storage-driver',
      'vfs',
    ]
    const image = path.join(directory, 'Containerfile')
    writeFileSync(image, 'FROM scratch\nCOPY . /muripo\n')
    const output = path.join(directory, 'image')
    const built = run(
      'buildah',
      ...store,
      'bud',
      '--isolation',
      'chroot',
      '--output',
      `type=local,dest=${output}`,
      '--file',
      image,
      checkout,
    )
    expect(built.status, built.stderr).toBe(0)
    expect(withCanary(output)).toEqual([])
    const copied = new Set(filesBelow(path.join(output, 'muripo')))
    expect(tracked.filter((file) => isInContext(file) !== copied.has(file))).toEqual([])
  })

  test('in an installation by deploy/install.sh', () => {
    const destdir = path.join(directory, 'installed')
    const installed = run(path.join(checkout, 'deploy/install.sh'), '--destdir', destdir, '--without-build')
    expect(installed).toMatchObject({ status: 0, stderr: '' })
    expect(withCanary(destdir)).toEqual([])
    const [release = ''] = readdirSync(path.join(destdir, 'opt/muripo/releases'))
    const copied = new Set(filesBelow(path.join(destdir, 'opt/muripo/releases', release)))
    expect(tracked.filter((file) => isInContext(file) !== copied.has(file))).toEqual([])
  })

  test('in a commit of everything', () => {
    git(checkout, 'init', '--quiet')
    git(checkout, 'add', '--all')
    const staged = git(checkout, 'ls-files', '-z')
    expect(staged.filter((file) => secretFiles.includes(file))).toEqual([])
    expect(staged.toSorted()).toEqual(tracked.toSorted())
  })
})

test('the compose file reads its secrets from outside of the checkout', () => {
  const compose = readFileSync(path.join(deploy, 'compose/compose.yaml'), 'utf8')
  const [, settings] = /^ *env_file: (\S+)$/m.exec(compose) ?? []
  expect(settings).toMatch(/^\$\{[A-Z_]+:-\/etc\/muripo\//)
})
