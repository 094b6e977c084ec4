import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { uploadsDirectory } from '../backup/manifest.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { EncryptionKeys } from '../crypto/encryption.ts'
import { type BlobStore, diskBlobStore, s3BlobStore } from './blob-store.ts'
import { decryptStream, encryptionOverheadBytes, encryptStream } from './encrypted-stream.ts'
import { createReceivedFiles, type ReceivedFile } from './received-files.ts'

/** Stores whole files, encrypted, under names that the caller chooses: on the disk of this machine, or in an object store. */
export interface Files {
  /** Receives the whole source on this machine for inspection. A source that fails, or that reaches `belowBytes`, leaves no file. */
  receive(source: AsyncIterable<Uint8Array>, belowBytes: number): Promise<ReceivedFile>
  keep(name: string, received: ReceivedFile): Promise<void>
  /**
   * Stores the content of a file of this size under another name too, encrypted under the active master key.
   * @returns false when there is no such file
   */
  copy(name: string, sizeBytes: number, to: string): Promise<boolean>
  /** The content of a stored file. The stream throws at the end when the content was changed, so no use may be made of it before. */
  read(name: string): Promise<AsyncIterable<Buffer>>
  /** Writes a text in plain into the object store, over an earlier one of the name. Without an object store nothing is written. */
  publish(name: string, text: string): Promise<void>
  /** Deletes a file; a missing file is no error. */
  discard(name: string): Promise<void>
  /** Deletes the received files of a process that was killed. */
  deleteAbandoned(): Promise<void>
}

export function createFiles(config: Config, keys: EncryptionKeys, clock: Clock): Files {
  const incoming = createReceivedFiles(join(config.dataDir, 'incoming'), clock)
  let opened: Promise<BlobStore> | undefined
  const blobStore = (): Promise<BlobStore> => {
    opened ??= config.objectStore
      ? s3BlobStore(config.objectStore)
      : diskBlobStore(
          join(config.dataDir, 'files'),
          config.backupDir === null ? null : uploadsDirectory(config.backupDir),
        )
    return opened
  }

  async function put(name: string, content: AsyncIterable<Buffer>, sizeBytes: number): Promise<void> {
    const { active } = keys
    const encrypted = Readable.from(encryptStream(active, content, name))
    await (await blobStore()).put(name, encrypted, sizeBytes + encryptionOverheadBytes(active))
  }
  const read = async (name: string): Promise<AsyncIterable<Buffer>> =>
    decryptStream(keys, await (await blobStore()).get(name), name)

  return {
    receive: incoming.receive,
    deleteAbandoned: incoming.deleteAbandoned,
    keep: (name, { path, sizeBytes }) => put(name, createReadStream(path), sizeBytes),
    read,
    async copy(name, sizeBytes, to) {
      if (!(await (await blobStore()).has(name))) return false
      await put(to, await read(name), sizeBytes)
      return true
    },
    async publish(name, text) {
      if (config.objectStore === null) return
      const content = Buffer.from(text)
      await (await blobStore()).put(name, Readable.from([content]), content.length)
    },
    async discard(name) {
      await (await blobStore()).remove(name)
    },
  }
}
