import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderRecord } from '@muripo/rig/provider-records'
import type pg from 'pg'
import { compare, type Finding, type Observed, observedSoFar, wrongAnswers } from '../lib/compare.ts'
import { passTime, withPool } from '../lib/database.ts'
import { serversOf } from '../lib/inspect.ts'
import { countFindings, type DrillReport, logProgress } from '../lib/report.ts'
import { readSnapshot, type Snapshot } from '../lib/snapshot.ts'
import { type DrillSystem, startSystem, stopSystem } from '../lib/system.ts'
import type { BackupTool } from './backup-tool.ts'

interface RestoreDrillOptions {
  /** The duration of the load before the backup, and again between the backup and the moment. */
  readonly seconds: number
  readonly customers: number
  readonly seed: number
}

/** The load goes on after the moment: a restore must leave out these commits. */
const AFTER_MOMENT_MS = 2000
const ARCHIVE_TIMEOUT_MS = 90_000
const COMPLETION_TIMEOUT_MS = 120_000

/** Backs up while customers pay, destroys the database, restores it to a moment, and compares all records. */
export async function restoreDrill(
  directory: string,
  tool: BackupTool,
  options: RestoreDrillOptions,
): Promise<DrillReport> {
  let system: DrillSystem | undefined
  try {
    system = await startSystem(tool.dataDir, {
      ...options,
      environment: tool.environment,
      log: path.join(directory, 'gateway.log'),
    })
    const backup = await loadAndBackUp(system, tool, options.seconds)

    logProgress('the database is destroyed')
    await system.gateway.destroy()
    await tool.destroy()
    const restoreMs = await duration(() => tool.restore(backup.moment))
    const gateway = system.startAgain()
    system = { ...system, gateway }
    const readyMs = await duration(() => gateway.ready())
    const restored = await compareRestored(tool.databaseUrl ?? gateway.databaseUrl(), system, backup)
    return reportOf(backup, restored, { restoreMs, readyMs })
  } finally {
    if (system) await stopSystem(system)
    await tool.stop()
  }
}

interface Backup {
  readonly moment: Date
  /** The records of the moment, and the findings until then. */
  readonly before: Observed
  readonly capturedBefore: ReadonlySet<string>
  readonly wrong: readonly Finding[]
  /** Payments that were acknowledged after the moment. */
  readonly acknowledgedAfter: number
  readonly backupMs: number
  readonly archiveMs: number
}

/** Takes a backup under load, and returns a moment after it whose commits have reached the archive. */
async function loadAndBackUp(system: DrillSystem, tool: BackupTool, seconds: number): Promise<Backup> {
  const { simulator, shop, gateway } = system
  const ownerUrl = () => tool.databaseUrl ?? gateway.databaseUrl()
  const orders = () => shop.orders.filter(({ answered }) => answered !== null).length
  await pass(seconds * 1000, orders)
  logProgress('backup')
  const backupMs = await duration(() => tool.backUp())
  await pass(seconds * 1000, orders)

  // The records are read before the moment, so that each response in them precedes it.
  const before = await observedSoFar(system)
  const capturedBefore = captured(await simulator.records())
  const wrong = wrongAnswers(shop)
  const { time, wal } = await withPool(ownerUrl(), readMoment)
  logProgress(`the moment is ${time.toISOString()}`)
  await pass(AFTER_MOMENT_MS, orders)
  const archiveMs = await duration(() => withPool(ownerUrl(), (pool) => untilArchived(pool, wal)))
  const acknowledgedAfter = orders() - before.orders.length
  return { moment: time, before, capturedBefore, wrong, acknowledgedAfter, backupMs, archiveMs }
}

interface Restored {
  readonly payments: number
  readonly held: number
  readonly findings: readonly Finding[]
}

const compareRestored = (databaseUrl: string, system: DrillSystem, backup: Backup): Promise<Restored> =>
  withPool(databaseUrl, async (pool) => {
    const snapshot = await readSnapshot(pool)
    const first = compare(snapshot, backup.before, await serversOf(system))
    logProgress(`restored: ${snapshot.payments.length} payments, ${first.length} findings`)
    const last = first.length > 0 ? first : await finishRestored(pool, backup, system)
    const held = (await readSnapshot(pool)).attempts.filter(({ status }) => status === 'held')
    return {
      payments: snapshot.payments.length,
      held: held.length,
      findings: [...last, ...backup.wrong],
    }
  })

function reportOf(
  { before, acknowledgedAfter, backupMs, archiveMs }: Backup,
  { payments, held, findings }: Restored,
  { restoreMs, readyMs }: { readonly restoreMs: number; readonly readyMs: number },
): DrillReport {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  return {
    figures: [
      ['payments acknowledged before the moment', before.orders.length],
      ['refunds acknowledged before the moment', before.refunds.length],
      ['charges and refunds at the wallet before it', before.charged.length],
      ['events delivered before it', before.delivered.length],
      ['payments acknowledged after it, not restored', acknowledgedAfter],
      ['payments in the restored database', payments],
      ['charges changed after it, with an operator', held],
      ...countFindings(findings),
      ['backup under load', seconds(backupMs)],
      ['until the moment was in the archive', seconds(archiveMs + AFTER_MOMENT_MS)],
      ['restore', seconds(restoreMs)],
      ['until the gateway was ready', seconds(readyMs)],
    ],
    findings,
  }
}

/** Lets the customers pay for a time, and on a busy machine until one more payment was acknowledged. */
async function pass(ms: number, acknowledged: () => number): Promise<void> {
  const before = acknowledged()
  const giveUpAt = performance.now() + COMPLETION_TIMEOUT_MS
  await sleep(ms)
  while (acknowledged() === before && performance.now() < giveUpAt) await sleep(50)
}

/** Waits until every restored attempt and refund has the outcome that the wallet recorded. */
async function finishRestored(
  pool: pg.Pool,
  { before, capturedBefore }: Backup,
  system: DrillSystem,
): Promise<readonly Finding[]> {
  void system.shop.close()
  const giveUpAt = performance.now() + COMPLETION_TIMEOUT_MS
  for (;;) {
    await sleep(1000)
    await passTime(pool)
    const read = await readSnapshot(pool)
    const servers = await serversOf(system)
    const snapshot = leaveToOperator(read, before, capturedBefore, servers.records)
    const findings = [...compare(snapshot, before, servers), ...open(snapshot)]
    if (findings.length === 0 || performance.now() > giveUpAt) return findings
    if (findings.some(({ kind }) => kind !== 'unresolved')) return findings
  }
}

type Records = ReadonlyMap<string, ProviderRecord>

/** The keys of the authorisations that were captured. */
const captured = (records: Records): ReadonlySet<string> =>
  new Set([...records.values()].flatMap(({ key, isCaptured }) => (isCaptured ? [key] : [])))

/**
 * A charge that was open at the moment, and captured or refunded at the provider after it, is correctly held for an operator: the restored
 * database has no instruction or refund for this money.
 */
function leaveToOperator(
  snapshot: Snapshot,
  before: Observed,
  capturedBefore: ReadonlySet<string>,
  records: Records,
): Snapshot {
  const known = new Set(before.charged.map(({ key }) => key))
  const refundedLater = new Set(
    [...records.values()].filter(({ key }) => !known.has(key)).map(({ original }) => original),
  )
  const changedLater = captured(records).difference(capturedBefore).union(refundedLater)
  const attempts = snapshot.attempts.map((attempt) => ({
    ...attempt,
    isWithOperator: attempt.status === 'held' && attempt.keys.some((key) => changedLater.has(key)),
  }))
  return { ...snapshot, attempts }
}

const open = ({ attempts, refunds, drifted }: Snapshot): Finding[] => [
  ...[...attempts, ...refunds]
    .filter(({ status, isWithOperator }) => !['completed', 'failed'].includes(status) && !isWithOperator)
    .map(({ keys, status }): Finding => ({ kind: 'unresolved', text: `${keys[0]} is ${status}` })),
  ...(drifted > 0
    ? [{ kind: 'unresolved', text: `${drifted} balances are not the sums of their transfers` } as const]
    : []),
]

interface Moment {
  readonly time: Date
  readonly wal: string
}

/** The option of the restore has milliseconds: the next one is after every commit that was acknowledged. */
async function readMoment(pool: pg.Pool): Promise<Moment> {
  const { rows } = await pool.query<Moment>(
    `select date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' as time,
       pg_walfile_name(pg_current_wal_insert_lsn()) as wal`,
  )
  if (!rows[0]) throw new Error('The database has no time')
  return rows[0]
}

/** Waits for the segments of this moment and of a later commit, because a restore to a time reads until the first commit after it. */
async function untilArchived(pool: pg.Pool, wal: string): Promise<void> {
  const giveUpAt = performance.now() + ARCHIVE_TIMEOUT_MS
  for (;;) {
    const { rows } = await pool.query<{ archived: string | null }>(
      "select last_archived_wal as archived from pg_stat_archiver where last_archived_wal ~ '^[0-9A-F]{24}$'",
    )
    if ((rows[0]?.archived ?? '') > wal) return
    if (performance.now() > giveUpAt) throw new Error(`${wal} did not reach the archive`)
    await sleep(200)
  }
}

async function duration(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}
