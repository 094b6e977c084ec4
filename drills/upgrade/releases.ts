import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { repository } from '../../scripts/lib/repository.ts'

/** A version of the gateway as a source tree with its dependencies and its web app. */
interface Release {
  readonly label: string
  readonly tree: string
}

export interface Releases {
  readonly earlier: Release
  readonly later: Release
}

const migrations = 'apps/server/migrations'

/**
 * A commit; `newest`: the newest commit with fewer migrations, all of which are present ones; `present`: the present tree, and the later
 * version is a copy of it with more migrations. Where no commit is `newest`, the present tree is the earlier version too.
 */
export type EarlierVersion = { readonly commit: string } | 'newest' | 'present'

export function makeReleases(from: EarlierVersion, directory: string): Releases {
  if (typeof from === 'object') return withCommit(from.commit, directory)
  const newest = from === 'newest' ? newestBefore() : null
  return newest === null ? withMoreMigrations(directory) : withCommit(newest, directory)
}

function withCommit(commit: string, directory: string): Releases {
  if (!isBeginning(commit))
    throw new Error(`The migrations of ${commit} are not the beginning of the present ones`)
  const tree = path.join(directory, 'earlier')
  mkdirSync(tree)
  execFileSync('tar', ['-x', '-C', tree], {
    input: execFileSync('git', ['archive', commit], { cwd: repository, maxBuffer: 1 << 30 }),
  })
  complete(tree)
  return {
    earlier: { label: git('log', '-1', '--format=%h', commit).trim(), tree },
    later: { label: 'the present tree', tree: repository },
  }
}

function withMoreMigrations(directory: string): Releases {
  const tree = path.join(directory, 'later')
  cpSync(repository, tree, {
    recursive: true,
    filter: (from) => !isNotSource(path.relative(repository, from)),
  })
  const added = addMigrations(path.join(tree, migrations))
  complete(tree)
  return {
    earlier: { label: 'the present tree', tree: repository },
    later: { label: `a copy of it with ${added} migrations more`, tree },
  }
}

/** The tree may be a copy without its history, so that its ignored files are named here. */
const isNotSource = (file: string): boolean =>
  /(^|\/)(node_modules|build|\.react-router|test-results|screenshots)$/.test(file) ||
  /^(\.git|\.cache|\.env|data|data-demo)$/.test(file)

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 26 })

function newestBefore(): string | null {
  const changes = git('log', '--format=%H', '--', migrations).trim().split('\n')
  return changes.map((change) => `${change}^`).find((each) => isBeginning(each, true)) ?? null
}

function isBeginning(commit: string, isShorter = false): boolean {
  const present = globSync('*.sql', { cwd: path.join(repository, migrations) }).sort()
  let entries: string[][]
  try {
    entries = git('ls-tree', '-r', commit, '--', migrations)
      .split('\n')
      .filter((line) => line.endsWith('.sql'))
      .map((line) => line.split(/\s/))
  } catch {
    // The first commit has none before it.
    return false
  }
  if (entries.length === 0 || (isShorter && entries.length >= present.length)) return false
  return entries.every(([, , blob, file = ''], nth) => {
    const name = present[nth]
    return (
      path.basename(file) === name &&
      git('hash-object', path.join(repository, migrations, name)).trim() === blob
    )
  })
}

/** Dependencies, and the web app unless it is the present one. */
function complete(tree: string): void {
  if (differs(tree, 'package-lock.json')) {
    execFileSync('npm', ['ci', '--silent'], { cwd: tree })
  } else {
    linkModules(tree)
  }
  const isPresentWeb = ['apps/web', 'packages', 'package-lock.json'].every((each) => !differs(tree, each))
  if (isPresentWeb) symlinkSync(path.join(repository, 'apps/web/build'), path.join(tree, 'apps/web/build'))
  else execFileSync(process.execPath, ['scripts/build-web.ts'], { cwd: tree })
}

const differs = (tree: string, file: string): boolean =>
  filesOf(tree, file).join('\n') !== filesOf(repository, file).join('\n')

/** Names and contents of the files that are not generated. */
const filesOf = (tree: string, file: string): string[] =>
  globSync([file, `${file}/**`], {
    cwd: tree,
    exclude: (each) => /(^|\/)(node_modules|build|\.react-router)$/.test(each),
  })
    .filter((each) => lstatSync(path.join(tree, each)).isFile())
    .sort()
    .map((each) => `${each}\0${readFileSync(path.join(tree, each), 'latin1')}`)

/** The present packages; the links of workspaces are relative and lead to the packages of the tree itself. */
function linkModules(tree: string): void {
  const [from, to] = [repository, tree].map((each) => path.join(each, 'node_modules')) as [string, string]
  const link = (name: string): void => {
    const source = path.join(from, name)
    if (lstatSync(source).isSymbolicLink()) {
      symlinkSync(readlinkSync(source), path.join(to, name))
    } else if (/^@[^/]+$/.test(name)) {
      mkdirSync(path.join(to, name))
      for (const each of readdirSync(source)) link(path.join(name, each))
    } else {
      symlinkSync(source, path.join(to, name))
    }
  }
  mkdirSync(to)
  for (const name of readdirSync(from)) link(name)
}

/**
 * A column for every table, each in a file of its own, and an index that is built concurrently. Each one needs a lock on a table in use, and
 * the statements of the earlier version meet rows of a new shape.
 */
function addMigrations(folder: string): number {
  const last = globSync('*.sql', { cwd: folder }).sort().at(-1) ?? ''
  const tables = globSync('*.sql', { cwd: folder })
    .sort()
    .flatMap((file) =>
      [
        ...readFileSync(path.join(folder, file), 'utf8').matchAll(
          /^create table (?:if not exists )?(?:public\.)?(\w+)/gm,
        ),
      ].map(([, table = '']) => table),
    )
  const files = [
    ...[...new Set(tables)].map((table) => [
      `expand_${table}.sql`,
      `alter table ${table} add column added_by_drill text not null default '';\n`,
    ]),
    [
      'index_payments_concurrently.sql',
      'drop index concurrently if exists payments_added_by_drill;\ncreate index concurrently payments_added_by_drill on payments (account_id, added_by_drill);\n',
    ],
  ]
  files.forEach(([name, text = ''], nth) => {
    const number = String(Number(last.slice(0, 4)) + 1 + nth).padStart(4, '0')
    writeFileSync(path.join(folder, `${number}_${name}`), text)
  })
  return files.length
}
