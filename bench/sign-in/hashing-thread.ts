/** Hashes with argon2 at the priority of the gateway's hashing threads, so that other programs slow down both alike. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { verifySync } from '@node-rs/argon2'

const { hash, password, seconds } = workerData as { hash: string; password: string; seconds: number }
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

const startedAt = performance.now()
let count = 0
while (performance.now() < startedAt + seconds * 1000) {
  verifySync(hash, password)
  count += 1
}
parentPort?.postMessage({ count, rate: (count * 1000) / (performance.now() - startedAt) })
