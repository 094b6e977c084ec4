import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { clusterParent } from '@muripo/testing/cluster-parent'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { seriesIn } from '../../../test/measured-gateway.ts'
import { runCommand } from '../../admin/run-command.ts'
import { systemClock } from '../clock.ts'
import { developmentMasterKey } from '../crypto/keys.ts'
import { createDatabase } from '../db/database.ts'
import { prepareDatabase } from '../jobs/prepare-database.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { backupFigures } from './backup-figures.ts'

const directory = mkdtempSync(join(clusterParent(), 'muripo-archive-'))
const [dataDir, backupDir] = [join(directory, 'data'), join(directory, 'backups')]
const server = await startEmbeddedPostgres({ dataDir, backupDir, log: () => {} })
await prepareDatabase(server.url, server.servingUrl, createLog('silent'))
developmentMasterKey(dataDir)
const owner = createDatabase(server.url, { maxConnections: 1 })
const serving = createDatabase(server.servingUrl, { maxConnections: 1 })
afterAll(async () => {
  await owner.close()
  await serving.close()
  await server.stop()
  rmSync(directory, { recursive: true })
})

const env = { MURIPO_DATA: dataDir, BACKUP_DIR: backupDir }
const admin = (...args: string[]) => runCommand(args, { account: 'till', machine: 'counter', env })
const lineOf = async (check: string): Promise<string | undefined> =>
  (await admin('doctor')).output.split('\n').find((line) => line.split(/ +/)[1] === check)

/** The figures that a serving process reports, by name. */
async function figures(): Promise<Record<string, number>> {
  const metrics = createMetrics(createLog('silent'))
  metrics.add(backupFigures(serving, { databaseUrl: null, backupDir, dataDir }, systemClock))
  return Object.fromEntries(seriesIn(await metrics.text()).map(({ name, value }) => [name, value]))
}

/** Completes a segment, which the server archives at once. */
const switchSegment = () =>
  sql`select pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()`.execute(owner.kysely)

test('a log archive that fails is a line of the doctor and a metric, until it works again', async () => {
  await switchSegment()
  await expect.poll(async () => (await lineOf('archive')) ?? '').toMatch(/^ok .* archived at 20/)
  expect(await figures()).toMatchObject({
    muripo_figures_read: 1,
    muripo_log_archive_failing: 0,
    muripo_log_archive_waiting_segments: 0,
  })

  const wal = join(backupDir, 'wal')
  renameSync(wal, `${wal}.gone`)
  // A missing directory is reported before the next attempt.
  expect(await lineOf('archive')).toMatch(/^error .* the next attempt will fail/)
  writeFileSync(wal, '')
  await switchSegment()
  await expect
    .poll(async () => (await lineOf('archive')) ?? '', { timeout: 30_000 })
    .toMatch(/^error .* failed at 20.*repair /)
  await switchSegment()
  expect(await figures()).toMatchObject({ muripo_log_archive_failing: 1 })
  await expect.poll(async () => (await figures()).muripo_log_archive_waiting_segments).toBeGreaterThan(0)

  rmSync(wal)
  renameSync(`${wal}.gone`, wal)
  await switchSegment()
  await expect.poll(async () => (await figures()).muripo_log_archive_failing, { timeout: 70_000 }).toBe(0)
  expect(await lineOf('archive')).toMatch(/^ok /)
})

test('a missing backup, a failed one and a new one are a line of the doctor and metrics', async () => {
  expect(await lineOf('backup')).toMatch(/^error .* no complete backup/)
  expect(await figures()).toMatchObject({
    muripo_backup_newest_timestamp_seconds: 0,
    muripo_backup_failed: 0,
  })

  const before = Date.now() / 1000 - 1
  expect((await admin('backup')).code).toBe(0)
  expect(await lineOf('backup')).toMatch(/^ok /)
  const { muripo_backup_newest_timestamp_seconds: newest, muripo_backup_failed: failed } = await figures()
  expect(newest).toBeGreaterThan(before)
  expect(failed).toBe(0)

  const bases = join(backupDir, 'base')
  renameSync(bases, `${bases}.gone`)
  writeFileSync(bases, '')
  expect((await admin('backup')).code).not.toBe(0)
  rmSync(bases)
  renameSync(`${bases}.gone`, bases)
  expect(await lineOf('backup')).toMatch(/^error .* the last one failed: 20.*EEXIST/)
  expect(await figures()).toMatchObject({
    muripo_backup_newest_timestamp_seconds: newest,
    muripo_backup_failed: 1,
  })

  expect((await admin('backup')).code).toBe(0)
  expect(await lineOf('backup')).toMatch(/^ok /)
})
