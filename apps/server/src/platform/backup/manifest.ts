import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const files = z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() }))

const manifest = z.object({
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** The oldest segment of the write-ahead log that a restore reads. */
  firstWal: z.string(),
  /** Of the backup's own directory. */
  files,
  /** Below `files` of the directory of backups, which all backups share; null with an object store. */
  uploads: files.nullable(),
  masterKey: z.object({ fingerprint: z.string(), kept: z.enum(['apart', 'plain', 'encrypted']) }),
})

/** The contents of one backup, with the checksum of each file. A backup without a manifest is incomplete. */
export type Manifest = Readonly<z.output<typeof manifest>>

export interface Backup {
  readonly name: string
  readonly directory: string
  readonly manifest: Manifest
}

export const manifestFile = 'manifest.json'
export const basesDirectory = (backupDir: string): string => join(backupDir, 'base')
export const uploadsDirectory = (backupDir: string): string => join(backupDir, 'files')

/** Complete backups, the oldest first. */
export async function listBackups(backupDir: string): Promise<readonly Backup[]> {
  const bases = basesDirectory(backupDir)
  const names = await readdir(bases).catch(() => [])
  const found = names
    .filter((name) => /^\d{8}T\d{9}Z$/.test(name))
    .sort()
    .map(async (name) => {
      const directory = join(bases, name)
      const text = await readFile(join(directory, manifestFile), 'utf8')
      return { name, directory, manifest: manifest.parse(JSON.parse(text)) }
    })
  return Promise.all(found)
}
