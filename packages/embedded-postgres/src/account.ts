import { chownSync, existsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Binaries } from './binaries.ts'
import { type Account, run } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'

interface Ids {
  readonly uid: number
  readonly gid: number
}

const accountName = 'postgres'

const isRoot = () => process.getuid?.() === 0

/** The account for a cluster directory; when it is not the caller's own, the directory is given to it. */
export async function accountFor(clusterDir: string, binaries: Binaries): Promise<Account> {
  if (!isRoot()) {
    refuseForeignCluster(clusterDir)
    return { prefix: [] }
  }
  const ids = ownerOf(clusterDir) ?? (await databaseAccount())
  for (const account of candidates(ids)) {
    if (await reaches(account, clusterDir, binaries)) return account
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and the account "${accountName}" (uid ${ids.uid}) cannot reach ${clusterDir} or ${path.dirname(binaries.postgres)}: put both where it may read, start Muripo as an ordinary user, or set DATABASE_URL.`,
  )
}

export function giveTo({ uid, gid }: Account, target: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(target, uid, gid)
}

function refuseForeignCluster(clusterDir: string): void {
  if (!existsSync(clusterDir)) return
  const { uid } = statSync(clusterDir)
  if (process.getuid && uid !== process.getuid()) {
    throw new EmbeddedPostgresError(
      `The database in ${clusterDir} belongs to another account (uid ${uid}): start Muripo as that account (or as root), or choose another MURIPO_DATA.`,
    )
  }
}

// A cluster made by an ordinary user stays that user's when root starts it once.
function ownerOf(clusterDir: string): Ids | undefined {
  if (!existsSync(clusterDir)) return undefined
  const { uid, gid } = statSync(clusterDir)
  return uid === 0 ? undefined : { uid, gid }
}

async function databaseAccount(): Promise<Ids> {
  const known = await lookUp()
  if (known) return known
  const ways: [string, ...string[]][][] = [
    [
      ['groupadd', '--system', '--force', accountName],
      [
        'useradd',
        '--system',
        '--gid',
        accountName,
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
        accountName,
      ],
    ],
    [
      ['addgroup', '-S', accountName],
      ['adduser', '-S', '-D', '-H', '-G', accountName, '-s', '/sbin/nologin', accountName],
    ],
  ]
  for (const way of ways) {
    for (const [command, ...args] of way) await run(command, args)
    const made = await lookUp()
    if (made) return made
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and the system account "${accountName}" could not be made: create it (useradd --system ${accountName}), start Muripo as an ordinary user, or set DATABASE_URL.`,
  )
}

async function lookUp(): Promise<Ids | undefined> {
  const [uid, gid] = await Promise.all([run('id', ['-u', accountName]), run('id', ['-g', accountName])])
  if (uid.code !== 0 || gid.code !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

// Below a directory that only root may enter (/root is 0700), the account keeps the one right to pass through.
// no_setuid_fixup is what lets PostgreSQL's own access(2) checks of its programs see that right.
function candidates({ uid, gid }: Ids): (Account & Ids)[] {
  const passing = ['dac_read_search', 'dac_override'].map((right) => ({
    uid,
    gid,
    prefix: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      `--inh-caps=+${right}`,
      `--ambient-caps=+${right}`,
    ],
  }))
  return [{ uid, gid, prefix: [] }, ...passing]
}

async function reaches(account: Account, clusterDir: string, binaries: Binaries): Promise<boolean> {
  // The first finds the programs and their shared files; the second goes into the directory the way postgres will.
  const programs = await run(binaries.initdb, ['--show', '-D', clusterDir, '-U', 'muripo'], account)
  if (programs.code !== 0) return false
  const directory = existsSync(clusterDir) ? clusterDir : path.dirname(clusterDir)
  return (await run('/bin/sh', ['-c', 'cd "$0" && pwd -P', directory], account)).code === 0
}
