import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createPool } from '../../../apps/server/src/platform/db/database.ts'
import { compare, type Finding, type Observed, observedSoFar } from '../../lib/drill/compare.ts'
import { closeScene, openScene, type Scene } from '../../lib/drill/scene.ts'
import { passTime, readSnapshot, type Snapshot } from '../../lib/drill/snapshot.ts'
import type { Wallet } from '../../lib/drill/wallet/wallet.ts'
import type { Keeper } from './keeper.ts'

export interface RestoreDrillOptions {
  readonly keeperIn: (directory: string) => Promise<Keeper>
  /** The duration of the load before the backup, and again between the backup and the moment. */
  readonly seconds: number
  readonly customers: number
  readonly seed: number
  readonly log: (line: string) => void
}

export interface RestoreDrillReport {
  readonly figures: readonly (readonly [name: string, value: string])[]
  readonly findings: readonly Finding[]
  readonly directory: string
}

/** The load goes on after the moment: a restore must leave out these commits. */
const afterMomentMs = 2000
const archiveTimeoutMs = 90_000
const completionTimeoutMs = 120_000

/** Backs up while customers pay, destroys the database, restores it to a moment, and compares the records of everyone. */
export async function restoreDrill(options: RestoreDrillOptions): Promise<RestoreDrillReport> {
  const { log, seconds } = options
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-restore-'))
  // The account of the database passes through.
  await chmod(directory, 0o711)
  const keeper = await options.keeperIn(directory)
  let scene: Scene | undefined
  let findings: readonly Finding[] = [{ kind: 'unresolved', text: 'the drill did not finish' }]
  try {
    scene = await openScene(keeper.dataDir, {
      ...options,
      environment: keeper.environment,
      logFile: path.join(directory, 'gateway.log'),
    })
    const { shop, wallet, receiver, watched } = scene
    const ownerUrl = () => keeper.databaseUrl ?? watched.databaseUrl()
    const orders = () => answered(observedSoFar(shop, wallet, receiver))
    await pass(seconds * 1000, orders)
    log('backup')
    const backupMs = await duration(() => keeper.backUp())
    await pass(seconds * 1000, orders)

    // Read first: all of this was answered before the moment.
    const before = observedSoFar(shop, wallet, receiver)
    const capturedBefore = captured(wallet)
    const wrong = shop.wrong.map((text) => ({ kind: 'half done', text }) as const)
    const moment = await withPool(ownerUrl(), readMoment)
    log(`the moment is ${moment.time.toISOString()}`)
    await pass(afterMomentMs, orders)
    const archiveMs = await duration(() => withPool(ownerUrl(), (pool) => untilArchived(pool, moment.wal)))
    const acknowledgedAfter = answered(observedSoFar(shop, wallet, receiver)) - answered(before)

    log('the database is destroyed')
    await watched.destroy()
    await keeper.destroy()
    const restoreMs = await duration(() => keeper.restore(moment.time))
    const started = scene.startAgain()
    scene = { ...scene, watched: started }
    const readyMs = await duration(() => started.ready())
    const restored = await withPool(keeper.databaseUrl ?? started.databaseUrl(), async (pool) => {
      const snapshot = await readSnapshot(pool)
      const first = compare(snapshot, before, wallet, receiver)
      log(`restored: ${snapshot.payments.length} payments, ${first.length} findings`)
      const last = first.length > 0 ? first : await finish(pool, before, capturedBefore, scene as Scene)
      const held = (await readSnapshot(pool)).attempts.filter(({ status }) => status === 'held')
      return { snapshot, findings: last, held: held.length }
    })
    findings = [...restored.findings, ...wrong]
    const count = (kind: Finding['kind']) => String(findings.filter((each) => each.kind === kind).length)
    const s = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    return {
      figures: [
        ['payments acknowledged before the moment', String(answered(before))],
        ['refunds acknowledged before the moment', String(before.refunds.length)],
        ['charges and refunds at the wallet before it', String(before.charged.length)],
        ['events delivered before it', String(before.delivered.length)],
        ['payments acknowledged after it, not restored', String(acknowledgedAfter)],
        ['payments in the restored database', String(restored.snapshot.payments.length)],
        ['charges changed after it, with an operator', String(restored.held)],
        ['lost', count('lost')],
        ['duplicated', count('duplicated')],
        ['half done', count('half done')],
        ['unresolved', count('unresolved')],
        ['backup under load', s(backupMs)],
        ['until the moment was in the archive', s(archiveMs + afterMomentMs)],
        ['restore', s(restoreMs)],
        ['until the gateway was ready', s(readyMs)],
      ],
      findings,
      directory,
    }
  } finally {
    if (scene) await closeScene(scene)
    await keeper.stop()
    if (findings.length === 0) rmSync(directory, { recursive: true, force: true })
  }
}

/** Lets the customers pay for a time, and on a busy machine until one more payment was acknowledged. */
async function pass(ms: number, acknowledged: () => number): Promise<void> {
  const before = acknowledged()
  const giveUpAt = performance.now() + completionTimeoutMs
  await sleep(ms)
  while (acknowledged() === before && performance.now() < giveUpAt) await sleep(50)
}

const answered = ({ orders }: Observed): number => orders.length

/** Waits until every restored attempt and refund has the outcome that the wallet recorded. */
async function finish(
  pool: pg.Pool,
  before: Observed,
  capturedBefore: ReadonlySet<string>,
  { wallet, receiver, shop }: Scene,
): Promise<readonly Finding[]> {
  void shop.close()
  const giveUpAt = performance.now() + completionTimeoutMs
  for (;;) {
    await sleep(1000)
    await passTime(pool)
    const snapshot = leaveToOperator(await readSnapshot(pool), before, capturedBefore, wallet)
    const findings = [...compare(snapshot, before, wallet, receiver), ...open(snapshot)]
    if (findings.length === 0 || performance.now() > giveUpAt) return findings
    if (findings.some(({ kind }) => kind !== 'unresolved')) return findings
  }
}

const withOperator = 'with an operator'

/** The keys of the authorisations that the wallet has captured. */
const captured = ({ book }: Wallet): ReadonlySet<string> =>
  new Set(
    [...book.values()].flatMap(({ key, authorisation }) =>
      typeof authorisation?.captured === 'number' ? [key] : [],
    ),
  )

/**
 * A charge that was open at the moment, and captured or refunded at the provider after it, is rightly held for an operator: the restored
 * database has no instruction or refund for this money.
 */
function leaveToOperator(
  snapshot: Snapshot,
  before: Observed,
  capturedBefore: ReadonlySet<string>,
  wallet: Wallet,
): Snapshot {
  const known = new Set(before.charged.map(({ key }) => key))
  const refundedLater = new Set(
    [...wallet.book.values()].filter(({ key }) => !known.has(key)).map(({ original }) => original),
  )
  const changedLater = captured(wallet).difference(capturedBefore).union(refundedLater)
  const attempts = snapshot.attempts.map((attempt) =>
    attempt.status === 'held' && changedLater.has(attempt.key)
      ? { ...attempt, status: withOperator }
      : attempt,
  )
  return { ...snapshot, attempts }
}

const open = ({ attempts, refunds, drifted }: Snapshot): Finding[] => [
  ...[...attempts, ...refunds]
    .filter(({ status }) => !['completed', 'failed', withOperator].includes(status))
    .map(({ key, status }): Finding => ({ kind: 'unresolved', text: `${key} is ${status}` })),
  ...(drifted > 0
    ? [{ kind: 'unresolved', text: `${drifted} balances are not the sums of their transfers` } as const]
    : []),
]

interface Moment {
  readonly time: Date
  readonly wal: string
}

/** With milliseconds, like the option of the restore: the next one is after every commit that was answered. */
async function readMoment(pool: pg.Pool): Promise<Moment> {
  const { rows } = await pool.query<Moment>(
    `select date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' as time,
       pg_walfile_name(pg_current_wal_insert_lsn()) as wal`,
  )
  if (!rows[0]) throw new Error('The database has no time')
  return rows[0]
}

/** The segments of this moment, and one with a later commit: a restore to a time reads on until a commit after it. */
async function untilArchived(pool: pg.Pool, wal: string): Promise<void> {
  const giveUpAt = performance.now() + archiveTimeoutMs
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

async function withPool<Result>(url: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = createPool(url, { maxConnections: 2 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
