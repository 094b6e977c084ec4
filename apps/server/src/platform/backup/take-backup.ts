import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { walDirectory } from '@muripo/embedded-postgres/archive'
import {
  type CopiedFiles,
  copyFile,
  digest,
  syncDirectory,
  syncTree,
  takeBaseBackup,
  writeDurably,
} from '@muripo/embedded-postgres/base-backup'
import { masterKeyId } from '../crypto/key-ring.ts'
import { archiveUpload } from '../files/archived-uploads.ts'
import {
  type Backup,
  basesDirectory,
  listBackups,
  type Manifest,
  nameOf,
  uploadsDirectory,
  writeManifest,
} from './manifest.ts'
import { encryptMasterKeys } from './master-key-copy.ts'

export interface BackupSource {
  readonly dataDir: string
  readonly backupDir: string
  /** The active one first. */
  readonly masterKeys: readonly [Buffer, ...Buffer[]]
  /** The key was generated for development and stored below the data directory. */
  readonly isGenerated: boolean
  readonly passphrase: string | null
  /** Uploads are in an object store, which has its own copies. */
  readonly hasObjectStore: boolean
  /** The hash of the last seal of the audit log. */
  readonly auditHead: string | null
}

/** Copies the running embedded database, the uploads and the master key. The directory gets its name when everything is on the disk. */
export async function takeBackup(source: BackupSource): Promise<Pick<Backup, 'name' | 'manifest'>> {
  const { dataDir, backupDir } = source
  const bases = basesDirectory(backupDir)
  await mkdir(bases, { recursive: true, mode: 0o700 })
  for (const name of await readdir(bases))
    if (name.endsWith('.part')) await rm(join(bases, name), { recursive: true })
  const part = join(bases, `${process.pid}.part`)
  await mkdir(part, { mode: 0o700 })
  try {
    const base = await takeBaseBackup(dataDir, backupDir, part)
    const kept = await keepMasterKey(source, part, base.files)
    const manifest: Manifest = {
      version: 1,
      ...base,
      uploads: source.hasObjectStore ? null : await archiveUploads(dataDir, backupDir),
      auditHead: source.auditHead,
      masterKey: { fingerprint: masterKeyId(source.masterKeys[0]), kept },
    }
    await writeManifest(part, manifest, source.masterKeys[0])
    await syncTree(part)
    const name = nameOf(base.startedAt)
    const directory = join(bases, name)
    await rename(part, directory)
    await syncDirectory(bases)
    return { name, manifest }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}

async function keepMasterKey(
  { dataDir, masterKeys, isGenerated, passphrase }: BackupSource,
  part: string,
  files: CopiedFiles,
): Promise<Manifest['masterKey']['kept']> {
  if (passphrase !== null) {
    const file = join(part, 'master-key.json')
    await writeDurably(file, encryptMasterKeys(masterKeys, passphrase))
    files['master-key.json'] = await digest(file)
    return 'encrypted'
  }
  if (!isGenerated) return 'apart'
  files['secrets.json'] = await copyFile(join(dataDir, 'secrets.json'), join(part, 'secrets.json'))
  return 'plain'
}

/** Archives the uploads of the time before the archive, and lists all present ones. */
async function archiveUploads(dataDir: string, backupDir: string): Promise<CopiedFiles> {
  const stored = join(dataDir, 'files')
  const uploads: CopiedFiles = {}
  for (const name of await readdir(stored).catch(() => [])) {
    const archived = await archiveUpload(stored, uploadsDirectory(backupDir), name)
    if (archived) uploads[name] = await digest(join(uploadsDirectory(backupDir), name))
  }
  return uploads
}

/**
 * Removes all but the newest backups, the log that only they need, and uploads that were deleted before the oldest kept backup.
 * @returns the number of removed backups
 */
export async function pruneBackups(backupDir: string, keep: number): Promise<number> {
  const all = await listBackups(backupDir)
  const [removed, kept] = [all.slice(0, -keep), all.slice(-keep)]
  for (const { directory } of removed) await rm(directory, { recursive: true })
  const oldest = kept[0]
  if (oldest === undefined) return removed.length
  await pruneLog(walDirectory(backupDir), oldest.manifest.firstWal)
  const listed = new Set(kept.flatMap(({ manifest }) => Object.keys(manifest.uploads ?? {})))
  const uploads = uploadsDirectory(backupDir)
  for (const name of await readdir(uploads).catch(() => [])) {
    const { mtimeMs } = await stat(join(uploads, name))
    if (!listed.has(name) && mtimeMs < Date.parse(oldest.manifest.startedAt)) await rm(join(uploads, name))
  }
  return removed.length
}

/** The first eight digits of a segment's name are its timeline, whose histories stay. */
async function pruneLog(directory: string, firstWal: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (/^[0-9A-F]{24}/.test(name) && name.slice(8, 24) < firstWal.slice(8)) await rm(join(directory, name))
  }
}
