/**
 * Owns the database cluster of a test run. It is a process of its own, because a test run that is killed cannot clean up: this process
 * notices, stops the database and removes its directory.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { clusterParent } from '@muripo/testing/cluster-parent'
import { asAdmin } from './admin.ts'

const dataDir = mkdtempSync(path.join(clusterParent(), 'muripo-test-'))
let parentIsGone = false
let finish: (() => Promise<void>) | undefined

process.on('disconnect', () => {
  parentIsGone = true
  void finish?.()
})

const settings = {
  // Races in two concurrent test files need more connections than a gateway's own database has.
  max_connections: '250',
  // The cluster does not outlive a crash.
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
}

async function startForTests() {
  const first = await startEmbeddedPostgres({ dataDir, log: () => {} })
  for (const [name, value] of Object.entries(settings))
    await asAdmin(first.url, `alter system set ${name} = '${value}'`)
  await first.stop()
  return startEmbeddedPostgres({ dataDir, log: () => {} })
}

try {
  const cluster = await startForTests()
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
