/**
 * Owns the database cluster of a test run. It is a process of its own, because a test run that is killed cannot clean up: this process
 * notices, stops the database and removes its directory.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { asAdmin } from './admin.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-test-'))
let parentIsGone = false
let finish: (() => Promise<void>) | undefined

process.on('disconnect', () => {
  parentIsGone = true
  void finish?.()
})

/** Races in two concurrent test files need more connections than a gateway's own database has. */
async function startRoomy() {
  const first = await startEmbeddedPostgres({ dataDir, log: () => {} })
  await asAdmin(first.url, 'alter system set max_connections = 250')
  await first.stop()
  return startEmbeddedPostgres({ dataDir, log: () => {} })
}

try {
  const cluster = await startRoomy()
  finish = async () => {
    await cluster.stop()
    rmSync(dataDir, { recursive: true, force: true })
    process.exit(0)
  }
  if (parentIsGone || !process.connected) await finish()
  process.send?.({ url: cluster.url })
} catch (error) {
  rmSync(dataDir, { recursive: true, force: true })
  process.send?.({ error: error instanceof Error ? error.message : String(error) })
  process.exit(1)
}
