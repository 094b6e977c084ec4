import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readBackupText } from '@muripo/embedded-postgres/backup-files'
import { writeDurably } from '@muripo/embedded-postgres/base-backup'
import { EmbeddedPostgresError } from '@muripo/embedded-postgres/error'
import { z } from 'zod'
import { derive, masterKeyId } from '../crypto/key-ring.ts'
import { hmac, isSameSecret } from '../crypto/keys.ts'

const MOST_BYTES = 2 ** 44

/** A path below a directory: no part leads out of it. */
const pathBelow = z
  .string()
  .max(1024)
  .refine((name) =>
    name.split('/').every((part) => /^[^\\\p{Cc}]+$/u.test(part) && part !== '.' && part !== '..'),
  )

const file = z.object({ bytes: z.int().min(0).max(MOST_BYTES), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

/** Beside the files of the cluster a backup contains these. */
const ownFiles = ['postgres.password', 'postgres.serving.password', 'master-key.json', 'secrets.json']

const files = z.record(
  pathBelow.refine((name) => name.startsWith('postgres/') || ownFiles.includes(name)),
  file,
)

/** The name of an upload, also of one that only the restored database names. */
export const uploadName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,199}$/)

const manifest = z.object({
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** The oldest segment of the write-ahead log that a restore reads. */
  firstWal: z.string().regex(/^[0-9A-F]{24}$/),
  /** Of the backup's own directory. */
  files,
  /** Below `files` of the directory of backups, which all backups share; null with an object store. */
  uploads: z.record(uploadName, file).nullable(),
  /** The hash of the last seal of the audit log before the copy; null without one, absent in a backup of an earlier version. */
  auditHead: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .optional(),
  masterKey: z.object({ fingerprint: z.string().max(64), kept: z.enum(['apart', 'plain', 'encrypted']) }),
})

/** The contents of one backup, with the checksum of each file. A backup without a manifest is incomplete. */
export type Manifest = Readonly<z.output<typeof manifest>>

export interface Backup {
  readonly name: string
  readonly directory: string
  readonly manifest: Manifest
  /** The text of the manifest, and the signature of it; null in a backup of an earlier version. */
  readonly text: string
  readonly signature: string | null
}

export const manifestFile = 'manifest.json'
const signatureFile = 'manifest.hmac'
const MOST_MANIFEST_BYTES = 64 * 1024 * 1024

export const nameOf = (startedAt: string): string => startedAt.replaceAll(/[-:.]/g, '')
export const basesDirectory = (backupDir: string): string => join(backupDir, 'base')
export const uploadsDirectory = (backupDir: string): string => join(backupDir, 'files')

/** The start of the newest complete backup. */
export async function newestBackup(backupDir: string): Promise<Date | null> {
  const startedAt = (await listBackups(backupDir)).at(-1)?.manifest.startedAt
  return startedAt === undefined ? null : new Date(startedAt)
}

/** Complete backups, the oldest first. */
export async function listBackups(backupDir: string): Promise<readonly Backup[]> {
  const bases = basesDirectory(backupDir)
  const entries = await readdir(bases, { withFileTypes: true }).catch(() => [])
  // A link is no directory here.
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names
      .filter((name) => /^\d{8}T\d{9}Z$/.test(name))
      .sort()
      .map((name) => readBackup(name, join(bases, name))),
  )
}

async function readBackup(name: string, directory: string): Promise<Backup> {
  const text = await readBackupText(directory, manifestFile, MOST_MANIFEST_BYTES)
  const parsed = manifest.safeParse(jsonIn(text))
  // A backup under the name of another one would restore another time than the list shows.
  if (!parsed.success || nameOf(parsed.data.startedAt) !== name)
    throw new EmbeddedPostgresError(
      `The manifest of the backup ${name} is damaged: move ${directory} away to use the other ones.`,
    )
  const signature = await readBackupText(directory, signatureFile, 1024).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  })
  return { name, directory, manifest: parsed.data, text, signature }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Only the owner of the master key signs a manifest, which contains the checksum of each file. */
const signatureOf = (masterKey: Buffer, text: string): string =>
  hmac(derive(masterKey, 'backup manifest'), text).toString('hex')

/** Writes a manifest and its signature into a directory that becomes a backup. */
export async function writeManifest(
  directory: string,
  content: Manifest,
  masterKey: Buffer,
): Promise<string> {
  const text = `${JSON.stringify(content, null, 1)}\n`
  await writeDurably(join(directory, signatureFile), signatureOf(masterKey, text))
  await writeDurably(join(directory, manifestFile), text)
  return text
}

export type Authenticity = 'authentic' | 'forged' | 'unsigned' | 'unknown'

/** Checks the signature with the master key of the backup; unknown without that key. */
export function authenticityOf({ manifest, text, signature }: Backup, keys: readonly Buffer[]): Authenticity {
  if (signature === null) return 'unsigned'
  const key = keys.find((each) => masterKeyId(each) === manifest.masterKey.fingerprint)
  if (key === undefined) return 'unknown'
  return isSameSecret(signature.trim(), signatureOf(key, text)) ? 'authentic' : 'forged'
}
