import { chmod, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { invariant } from '../errors.ts'
import { archiveUpload } from './archived-uploads.ts'
import type { ObjectStore } from './object-store.ts'

/** The storage of encrypted files. */
export interface BlobStore {
  put(name: string, content: Readable, sizeBytes: number): Promise<void>
  has(name: string): Promise<boolean>
  get(name: string): Promise<Readable>
  remove(name: string): Promise<void>
}

/** A directory that only this process's user can read. `archive` receives a copy of each file before it counts as stored. */
export async function diskBlobStore(directory: string, archive: string | null): Promise<BlobStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await chmod(directory, 0o700)
  const blobStore = blobStoreOn(new Disk(new FSDriver({ location: directory, visibility: 'private' })))
  return {
    ...blobStore,
    async put(name, content, sizeBytes) {
      await blobStore.put(name, content, sizeBytes)
      const path = join(directory, name)
      await chmod(path, 0o600)
      await flush(path)
      // A new name is durable only after its directory is flushed.
      await flush(dirname(path))
      if (archive !== null) await archiveUpload(directory, archive, name)
    },
  }
}

/** The library is loaded only when it is used, because it is larger than the gateway. */
export async function s3BlobStore({ bucket, prefix, ...store }: ObjectStore): Promise<BlobStore> {
  const { S3Driver } = await import('flydrive/drivers/s3')
  const driver = new S3Driver({
    bucket,
    visibility: 'private',
    // A bucket is private by default, and many stores support no access lists.
    supportsACL: false,
    region: store.region,
    endpoint: store.endpoint,
    forcePathStyle: true,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
    // A store that hangs must not delay its callers for ever.
    requestHandler: { connectionTimeout: 5000, requestTimeout: 30_000, throwOnRequestTimeout: true },
    // Stores other than Amazon's refuse unknown checksums; a file contains its own.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return blobStoreOn(new Disk(driver), prefix)
}

function blobStoreOn(disk: Disk, prefix = ''): BlobStore {
  const keyOf = (name: string): string => {
    invariant(/^[a-z0-9_]{1,64}$/.test(name), `"${name}" is not a name for a file`)
    return prefix + name
  }
  return {
    put: (name, content, sizeBytes) =>
      disk.putStream(keyOf(name), content, {
        contentLength: sizeBytes,
        contentType: 'application/octet-stream',
      }),
    has: (name) => disk.exists(keyOf(name)),
    get: (name) => disk.getStream(keyOf(name)),
    remove: (name) => disk.delete(keyOf(name)),
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
