import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Depot, diskDepot, s3Depot } from './depot.ts'
import { type Arrived, createIncoming } from './incoming.ts'
import { openSealed, SEAL_BYTES, sealed } from './sealed.ts'

/** Keeps whole files, sealed, under names that the caller chooses: on the disk of this machine, or in an object store. */
export interface Files {
  /** All of the source on this machine, to be looked at, or nothing: one that fails, or that reaches `belowBytes`, leaves no trace. */
  receive(source: AsyncIterable<Uint8Array>, belowBytes: number): Promise<Arrived>
  keep(name: string, arrived: Arrived): Promise<void>
  /** What was kept. It throws at the end when it is not what was kept, so nothing may be made of it before. */
  read(name: string): Promise<AsyncIterable<Buffer>>
  /** Harmless for a name that is not there. */
  discard(name: string): Promise<void>
  /** Removes what a killed process had received and could not clear away. */
  forgetAbandoned(): Promise<void>
}

export function createFiles(config: Config, sealKey: Buffer, clock: Clock): Files {
  const incoming = createIncoming(join(config.dataDir, 'incoming'), clock)
  let opened: Promise<Depot> | undefined
  const depot = (): Promise<Depot> => {
    opened ??= config.objectStore ? s3Depot(config.objectStore) : diskDepot(join(config.dataDir, 'files'))
    return opened
  }

  return {
    receive: incoming.receive,
    forgetAbandoned: incoming.forgetAbandoned,
    async keep(name, { path, sizeBytes }) {
      const source = sealed(sealKey, createReadStream(path), name)
      await (await depot()).put(name, Readable.from(source), sizeBytes + SEAL_BYTES)
    },
    async read(name) {
      return openSealed(sealKey, await (await depot()).get(name), name)
    },
    async discard(name) {
      await (await depot()).remove(name)
    },
  }
}
