import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readBackupFile, readBackupText } from '@muripo/embedded-postgres/backup-files'
import { writeDurably } from '@muripo/embedded-postgres/base-backup'
import { EmbeddedPostgresError } from '@muripo/embedded-postgres/error'
import { refuseOpenDirectory, restoreCluster } from '@muripo/embedded-postgres/restore'
import { masterKeyId } from '../crypto/key-ring.ts'
import { secretsInText, secretsText } from '../crypto/keys.ts'
import { authenticityOf, type Backup, listBackups, uploadName, uploadsDirectory } from './manifest.ts'
import { decryptMasterKeys } from './master-key-copy.ts'

export interface RestoreRequest {
  readonly dataDir: string
  readonly backupDir: string
  /** Null: to the end of the archive. */
  readonly to: Date | null
  /** Without any, the operator gives none, and they come out of the backup. */
  readonly masterKeys: readonly Buffer[]
  readonly passphrase: string | null
  /** Restores a backup whose manifest has no valid signature. */
  readonly isUnauthenticated: boolean
  /** The names of the uploads that the restored database refers to. */
  readonly uploadsOf: (ownerUrl: string) => Promise<readonly string[]>
}

export interface Restored {
  readonly backup: Backup
  /** The last replayed commit after the backup. */
  readonly lastCommit: Date | null
  readonly uploads: number
  readonly missingUploads: readonly string[]
  readonly masterKey: 'given' | 'restored' | 'apart'
}

/** Restores a data directory. Anything that it wrote is removed when it fails. */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { dataDir, backupDir, to } = request
  await refuseUsedDirectory(dataDir)
  await refuseOpenDirectory(dataDir)
  const backup = newestBefore(await listBackups(backupDir), to, backupDir)
  const masterKey = await masterKeyFor(request, backup)
  if (!request.isUnauthenticated) refuseForgery(backup, masterKey.keys)
  const wasMissing = !existsSync(dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  let uploads: Pick<Restored, 'uploads' | 'missingUploads'> = { uploads: 0, missingUploads: [] }
  try {
    const { 'master-key.json': _, ...files } = backup.manifest.files
    const lastCommit = await restoreCluster({
      dataDir,
      backupDir,
      backup: backup.directory,
      files,
      to,
      visit: async (ownerUrl) => {
        const names = await request.uploadsOf(ownerUrl)
        if (backup.manifest.uploads !== null) uploads = await copyUploads(backup, dataDir, backupDir, names)
      },
    })
    if (masterKey.restored !== null) {
      await writeDurably(join(dataDir, 'secrets.json'), secretsText(masterKey.restored))
    }
    return { backup, lastCommit, ...uploads, masterKey: masterKey.kind }
  } catch (error) {
    for (const name of await readdir(dataDir)) {
      // The log contains the reason.
      if (name !== 'postgres.log') await rm(join(dataDir, name), { recursive: true })
    }
    if (wasMissing && (await readdir(dataDir)).length === 0) await rm(dataDir, { recursive: true })
    throw error
  }
}

async function refuseUsedDirectory(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => [])
  if (names.every((name) => name === 'postgres.log')) return
  throw new EmbeddedPostgresError(
    `${dataDir} is not empty: a restore writes to an empty or missing directory only. Move the present one away, or set MURIPO_DATA.`,
  )
}

function newestBefore(backups: readonly Backup[], to: Date | null, backupDir: string): Backup {
  const backup = backups.findLast(({ manifest }) => to === null || new Date(manifest.finishedAt) <= to)
  if (backup) return backup
  throw new EmbeddedPostgresError(
    backups[0]
      ? `The oldest backup in ${backupDir} was complete at ${backups[0].manifest.finishedAt}: choose that time or a later one.`
      : `There is no complete backup in ${backupDir}.`,
  )
}

interface MasterKeyOfBackup {
  readonly kind: Restored['masterKey']
  readonly restored: readonly Buffer[] | null
  /** Keys that check the signature of the manifest. */
  readonly keys: readonly Buffer[]
}

/** Keys that a copy in the backup contains: encrypted with the passphrase, or the generated ones of a development gateway. */
export async function keysInBackup(
  { directory, manifest }: Backup,
  passphrase: string | null,
): Promise<readonly Buffer[] | null> {
  const { kept } = manifest.masterKey
  if (kept === 'plain') return secretsInText(await readBackupText(directory, 'secrets.json', MOST_KEYS_BYTES))
  if (kept === 'apart' || passphrase === null) return null
  return decryptMasterKeys(await readBackupText(directory, 'master-key.json', MOST_KEYS_BYTES), passphrase)
}

const MOST_KEYS_BYTES = 65_536

function refuseForgery(backup: Backup, keys: readonly Buffer[]): void {
  const reasons = {
    authentic: null,
    forged: 'has a wrong signature: somebody has changed it, or the master key is another one',
    unsigned: 'has no signature: it is of an earlier version, or somebody has replaced it',
    unknown: 'cannot be checked without its master key: set MURIPO_MASTER_KEY',
  }
  const reason = reasons[authenticityOf(backup, keys)]
  if (reason === null) return
  throw new EmbeddedPostgresError(
    `The manifest of the backup ${backup.name} ${reason}. --unauthenticated restores it all the same, with whatever was written into it.`,
  )
}

async function masterKeyFor(
  { masterKeys, passphrase }: RestoreRequest,
  backup: Backup,
): Promise<MasterKeyOfBackup> {
  const { fingerprint, kept } = backup.manifest.masterKey
  if (masterKeys.length > 0) {
    if (masterKeys.some((key) => masterKeyId(key) === fingerprint))
      return { kind: 'given', restored: null, keys: masterKeys }
    throw new EmbeddedPostgresError(
      'MURIPO_MASTER_KEY is not the key of this backup: with another one, keys, documents and accounts at providers cannot be decrypted.',
    )
  }
  const keys = await keysInBackup(backup, passphrase)
  if (kept === 'plain') return { kind: 'restored', restored: null, keys: keys ?? [] }
  if (kept === 'apart') return { kind: 'apart', restored: null, keys: [] }
  if (keys !== null) return { kind: 'restored', restored: keys, keys }
  throw new EmbeddedPostgresError(
    `The master key of this backup is encrypted: set ${passphrase === null ? '' : 'the right '}BACKUP_PASSPHRASE, or MURIPO_MASTER_KEY.`,
  )
}

/** More than an encrypted upload has. */
const MOST_UPLOAD_BYTES = 1024 * 1024 * 1024

/** Copies the uploads that the database refers to, and checks those that the manifest lists. */
async function copyUploads(
  { manifest }: Backup,
  dataDir: string,
  backupDir: string,
  names: readonly string[],
): Promise<Pick<Restored, 'uploads' | 'missingUploads'>> {
  const archive = uploadsDirectory(backupDir)
  // The log that was replayed since the backup has no signature.
  const wrong = names.find((name) => !uploadName.safeParse(name).success)
  if (wrong !== undefined)
    throw new EmbeddedPostgresError(`The restored database names an upload ${JSON.stringify(wrong)}.`)
  const present = names.filter((name) => existsSync(join(archive, name)))
  if (present.length > 0) await mkdir(join(dataDir, 'files'), { mode: 0o700 })
  for (const name of present) {
    const listed = manifest.uploads?.[name]
    const copied = await readBackupFile(
      archive,
      name,
      listed?.bytes ?? MOST_UPLOAD_BYTES,
      join(dataDir, 'files', name),
    )
    if (listed && listed.sha256 !== copied.sha256)
      throw new EmbeddedPostgresError(
        `The upload ${name} is damaged: its checksum is not that of the manifest.`,
      )
  }
  return { uploads: present.length, missingUploads: names.filter((name) => !present.includes(name)) }
}

/** Compares every file of a backup with its manifest. Returns the names of damaged and missing files. */
export async function damagedFiles({ directory, manifest }: Backup, backupDir: string): Promise<string[]> {
  const damaged: string[] = []
  const check = async (base: string, files: Backup['manifest']['files']) => {
    for (const [name, { bytes, sha256 }] of Object.entries(files)) {
      const found = await readBackupFile(base, name, bytes).catch(() => undefined)
      if (found?.sha256 !== sha256) damaged.push(name)
    }
  }
  await check(directory, manifest.files)
  await check(uploadsDirectory(backupDir), manifest.uploads ?? {})
  return damaged
}
