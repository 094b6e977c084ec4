import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyFile, digest, writeDurably } from '@muripo/embedded-postgres/base-backup'
import { EmbeddedPostgresError } from '@muripo/embedded-postgres/error'
import { restoreCluster } from '@muripo/embedded-postgres/restore'
import { masterKeyId } from '../crypto/key-ring.ts'
import { secretsText } from '../crypto/keys.ts'
import { type Backup, listBackups, uploadsDirectory } from './manifest.ts'
import { decryptMasterKeys } from './master-key-copy.ts'

export interface RestoreRequest {
  readonly dataDir: string
  readonly backupDir: string
  /** Null: to the end of the archive. */
  readonly to: Date | null
  /** Without any, the operator gives none, and they come out of the backup. */
  readonly masterKeys: readonly Buffer[]
  readonly passphrase: string | null
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
  const backup = newestBefore(await listBackups(backupDir), to, backupDir)
  const masterKey = await masterKeyFor(request, backup)
  const wasMissing = !existsSync(dataDir)
  await mkdir(dataDir, { recursive: true })
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

async function masterKeyFor(
  { masterKeys, passphrase }: RestoreRequest,
  { directory, manifest }: Backup,
): Promise<{ readonly kind: Restored['masterKey']; readonly restored: readonly Buffer[] | null }> {
  const { fingerprint, kept } = manifest.masterKey
  if (masterKeys.length > 0) {
    if (masterKeys.some((key) => masterKeyId(key) === fingerprint)) return { kind: 'given', restored: null }
    throw new EmbeddedPostgresError(
      'MURIPO_MASTER_KEY is not the key of this backup: with another one, keys, documents and accounts at providers cannot be decrypted.',
    )
  }
  if (kept !== 'encrypted') return { kind: kept === 'plain' ? 'restored' : 'apart', restored: null }
  const copy = await readFile(join(directory, 'master-key.json'), 'utf8')
  const restored = passphrase === null ? null : decryptMasterKeys(copy, passphrase)
  if (restored !== null) return { kind: 'restored', restored }
  throw new EmbeddedPostgresError(
    `The master key of this backup is encrypted: set ${passphrase === null ? '' : 'the right '}BACKUP_PASSPHRASE, or MURIPO_MASTER_KEY.`,
  )
}

/** Copies the uploads that the database refers to, and checks those that the manifest lists. */
async function copyUploads(
  { manifest }: Backup,
  dataDir: string,
  backupDir: string,
  names: readonly string[],
): Promise<Pick<Restored, 'uploads' | 'missingUploads'>> {
  const archive = uploadsDirectory(backupDir)
  const present = names.filter((name) => existsSync(join(archive, name)))
  if (present.length > 0) await mkdir(join(dataDir, 'files'), { mode: 0o700 })
  for (const name of present) {
    const listed = manifest.uploads?.[name]
    const copied = await copyFile(join(archive, name), join(dataDir, 'files', name))
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
    for (const [name, { sha256 }] of Object.entries(files)) {
      const found = await digest(join(base, name)).catch(() => undefined)
      if (found?.sha256 !== sha256) damaged.push(name)
    }
  }
  await check(directory, manifest.files)
  await check(uploadsDirectory(backupDir), manifest.uploads ?? {})
  return damaged
}
