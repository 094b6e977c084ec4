import { resolve } from 'node:path'
import { z } from 'zod'
import { storedFiles } from '../modules/identity/index.ts'
import { newestSeal } from '../platform/audit/audit-seals.ts'
import { recordBackup } from '../platform/backup/last-backup.ts'
import { authenticityOf, type Backup, listBackups } from '../platform/backup/manifest.ts'
import { damagedFiles, keysInBackup, restoreBackup } from '../platform/backup/restore-backup.ts'
import { pruneBackups, takeBackup } from '../platform/backup/take-backup.ts'
import { backupPassphrase, masterKey, masterKeyList } from '../platform/config.ts'
import { createDatabase } from '../platform/db/database.ts'
import { type Environment, readSettings } from '../platform/settings.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { block, oneLine, sizeText } from './print.ts'

export const backupCommands: readonly Command[] = [
  {
    words: 'backup',
    optional: { keep: 'N' },
    does: 'copy the embedded database, uploads and the master key to BACKUP_DIR; --keep removes all but the newest N backups',
    run: backUp,
  },
  {
    words: 'backup list',
    does: 'list the backups in BACKUP_DIR, the oldest first',
    runOffline: list,
  },
  {
    words: 'backup check',
    does: 'compare every file of every backup with the checksums of its manifest, and the manifest with its signature',
    runOffline: check,
  },
  {
    words: 'restore',
    optional: { to: 'TIME' },
    flags: ['unauthenticated'],
    does: 'restore the newest fitting backup of BACKUP_DIR into an empty MURIPO_DATA, up to TIME (2026-11-23T09:30:00Z) or the end of the log; --unauthenticated takes one without a valid signature',
    runOffline: restore,
  },
]

const noDirectory = 'BACKUP_DIR is not set: it is the directory of backups, on another disk than MURIPO_DATA.'

/** A restore needs no settings of mail or providers. */
const settingsOf = (env: Environment) =>
  readSettings(env, () =>
    z
      .object({
        MURIPO_DATA: z.string().default('data'),
        BACKUP_DIR: z.string().default(''),
        BACKUP_PASSPHRASE: backupPassphrase.nullable().default(null),
        MURIPO_MASTER_KEY: masterKey.nullable().default(null),
        MURIPO_EARLIER_MASTER_KEYS: masterKeyList.default([]),
      })
      .transform((given) => {
        if (given.BACKUP_DIR === '') throw new Refused(noDirectory)
        return {
          dataDir: resolve(given.MURIPO_DATA),
          backupDir: resolve(given.BACKUP_DIR),
          passphrase: given.BACKUP_PASSPHRASE,
          masterKeys: [given.MURIPO_MASTER_KEY ?? [], given.MURIPO_EARLIER_MASTER_KEYS].flat(),
        }
      }),
  )

async function backUp({ ctx }: OperatorContext, { options }: CommandArguments): Promise<string> {
  const { config } = ctx
  const keep = options.keep === undefined ? null : Number(options.keep)
  if (keep !== null && !(Number.isInteger(keep) && keep > 0))
    throw new UsageError('--keep needs a number from 1.')
  if (config.databaseUrl !== null)
    throw new Refused('This command backs up the embedded database. For DATABASE_URL use deploy/pgbackrest.')
  if (config.backupDir === null) throw new Refused(noDirectory)
  const { backupDir, dataDir } = config
  const { backup, removed } = await recordBackup(dataDir, ctx.clock, async () => {
    const taken = await takeBackup({
      dataDir,
      backupDir,
      masterKeys: ctx.keys.ring.masterKeys,
      isGenerated: config.masterKey === null,
      passphrase: config.backupPassphrase,
      hasObjectStore: config.objectStore !== null,
      auditHead: (await newestSeal(ctx.db.kysely))?.hash ?? null,
    })
    return { backup: taken, removed: keep === null ? 0 : await pruneBackups(backupDir, keep) }
  })
  return [shown(backup), ...(removed > 0 ? [`Removed ${removed} earlier.`] : [])].join('\n')
}

async function list(env: Environment): Promise<string> {
  const { backupDir } = settingsOf(env)
  const backups = await listBackups(backupDir)
  return backups.length === 0
    ? `There is no complete backup in ${backupDir}.`
    : backups.map(shown).join('\n\n')
}

async function check(env: Environment): Promise<string> {
  const { backupDir, masterKeys, passphrase } = settingsOf(env)
  const backups = await listBackups(backupDir)
  const damaged: string[] = []
  const unchecked: string[] = []
  for (const backup of backups) {
    for (const name of await damagedFiles(backup, backupDir)) damaged.push(`${backup.name}: ${oneLine(name)}`)
    const inBackup = await keysInBackup(backup, passphrase)
    const authenticity = authenticityOf(backup, [...masterKeys, ...(inBackup ?? [])])
    if (authenticity === 'forged') damaged.push(`${backup.name}: manifest.json has a wrong signature`)
    if (authenticity === 'unknown')
      unchecked.push(`${backup.name}: set MURIPO_MASTER_KEY or BACKUP_PASSPHRASE`)
    if (authenticity === 'unsigned')
      unchecked.push(`${backup.name}: it has no signature, as those of an earlier version`)
  }
  if (damaged.length > 0) throw new Refused(['Damaged or missing:', ...damaged].join('\n'))
  const files = `All files of ${backups.length === 1 ? 'one backup' : `${backups.length} backups`} have the checksums of their manifests.`
  return [files, ...(unchecked.length > 0 ? ['Signatures that were not checked:', ...unchecked] : [])].join(
    '\n',
  )
}

async function restore(env: Environment, { options, flags }: CommandArguments): Promise<string> {
  const settings = settingsOf(env)
  const to = options.to === undefined ? null : timeIn(options.to)
  const { backup, lastCommit, uploads, missingUploads, masterKey } = await restoreBackup({
    ...settings,
    to,
    isUnauthenticated: flags.has('unauthenticated'),
    uploadsOf,
  })
  return [
    block(`Restored ${backup.name} into ${settings.dataDir}`, [
      ['Until', to?.toISOString() ?? 'the end of the log'],
      ['Last commit', lastCommit?.toISOString() ?? `none after ${backup.manifest.finishedAt}`],
      ['Uploads', backup.manifest.uploads === null ? 'in the object store' : String(uploads)],
      ['Missing uploads', missingUploads.join(', ')],
      ['Master key', masterKeyTexts[masterKey]],
    ]),
    'Start the gateway, and take a backup at once: the restored database begins a new timeline of the log.',
  ].join('\n')
}

const masterKeyTexts = {
  given: 'MURIPO_MASTER_KEY, as before',
  restored: 'in secrets.json below MURIPO_DATA; production takes it from MURIPO_MASTER_KEY',
  apart: 'not part of the backup: start with the same MURIPO_MASTER_KEY',
} as const

async function uploadsOf(ownerUrl: string): Promise<readonly string[]> {
  const db = createDatabase(ownerUrl, { maxConnections: 1 })
  try {
    return await storedFiles(db.kysely)
  } finally {
    await db.close()
  }
}

/** A time names its zone: a restore to the wrong hour loses payments. */
function timeIn(text: string): Date {
  const time = z.iso.datetime({ offset: true }).safeParse(text)
  if (!time.success) throw new UsageError('--to needs a time with its zone, as 2026-11-23T09:30:00Z.')
  return new Date(time.data)
}

const keptTexts = {
  apart: 'not included',
  plain: 'included, readable only by the owner of the file',
  encrypted: 'included, encrypted with BACKUP_PASSPHRASE',
} as const

function shown({ name, manifest }: Pick<Backup, 'name' | 'manifest'>): string {
  const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0)
  const { uploads, masterKey } = manifest
  return block(name, [
    ['Complete', manifest.finishedAt],
    ['Database', sizeText(bytes)],
    ['Uploads', uploads === null ? 'in the object store' : String(Object.keys(uploads).length)],
    ['Master key', keptTexts[masterKey.kept]],
    ['Audit log', manifest.auditHead ? `head ${manifest.auditHead}` : ''],
  ])
}
