import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createPool, isDatabaseAway } from '../../../apps/server/src/platform/db/database.ts'
import { type Chance, chanceOf } from './chance.ts'
import { compare, compareFinal, type Finding, observedSoFar } from './compare.ts'
import type { Victim } from './gateway.ts'
import { closeScene, type Inspected, openScene, type Scene } from './scene.ts'
import { passTime, readSnapshot, type Snapshot } from './snapshot.ts'

export interface CrashOptions {
  readonly kills: number
  readonly seed: number
  readonly only: 'gateway' | 'postgres' | null
  /** Number of concurrent customers. */
  readonly customers: number
  readonly log: (line: string) => void
}

export interface CrashReport {
  readonly kills: Readonly<Record<Victim, number>>
  readonly orders: number
  readonly paid: number
  readonly refunds: number
  readonly cancelled: number
  readonly deliveries: number
  readonly deliveredAgain: number
  readonly findings: readonly Finding[]
  readonly longestToReadyMs: number
  readonly failedStarts: number
  /** Where the database and the log are, kept only when something was found. */
  readonly directory: string
}

const completionTimeoutMs = 120_000
const roundMs = 500

/** Kills the gateway and its database repeatedly under load, and compares all records. */
export async function crash(options: CrashOptions): Promise<CrashReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-crash-'))
  const chance = chanceOf(options.seed)
  const scene = await openScene(directory, options)
  let findings: readonly Finding[] = [{ kind: 'unresolved', text: 'the run did not finish' }]
  try {
    const { wallet, receiver, shop, watched } = scene
    const killed = await killAll(scene, options, chance)
    findings = killed.findings.length > 0 ? killed.findings : await finish(scene, options.log)
    const taken = [...receiver.taken.values()]
    const paid = [...wallet.book.values()].filter(
      ({ kind, status }) => kind === 'charge' && status === 'paid',
    )
    return {
      kills: killed.kills,
      longestToReadyMs: killed.longestToReadyMs,
      orders: shop.orders.filter(({ answered }) => answered !== null).length,
      paid: paid.length,
      refunds: shop.refunds.filter(({ answered }) => answered !== null).length,
      cancelled: shop.orders.filter(({ cancelled }) => cancelled).length,
      deliveries: taken.length,
      deliveredAgain: taken.reduce((again, { times }) => again + times - 1, 0),
      findings: [...findings, ...shop.wrong.map((text) => ({ kind: 'half done', text }) as const)],
      failedStarts: watched.failedStarts,
      directory,
    }
  } finally {
    await closeScene(scene)
    if (findings.length === 0) rmSync(directory, { recursive: true, force: true })
  }
}

interface Killed {
  readonly kills: Record<Victim, number>
  readonly longestToReadyMs: number
  readonly findings: readonly Finding[]
}

async function killAll(scene: Scene, options: CrashOptions, chance: Chance): Promise<Killed> {
  const { watched } = scene
  const kills = { gateway: 0, postgres: 0, both: 0 }
  let longestToReadyMs = 0
  for (let left = options.kills; left > 0; ) {
    await sleep(chance.gapMs(1000, 300, 3000))
    const since = performance.now()
    // A kill during the start is a kill during recovery.
    for (let again = true; again && left > 0; again = chance.percent(20)) {
      const victim =
        options.only ??
        (['gateway', 'gateway', 'postgres', 'both'] as const)[Math.floor(chance.next() * 4)] ??
        'both'
      while (!watched.kill(victim)) await sleep(10)
      kills[victim] += 1
      left -= 1
      await sleep(chance.gapMs(300, 0, 1000))
    }
    await watched.ready()
    const toReadyMs = performance.now() - since
    longestToReadyMs = Math.max(longestToReadyMs, toReadyMs)
    const findings = await inspect(scene, compare)
    const { orders, refunds } = scene.shop
    options.log(
      `${options.kills - left} kills: ${orders.length} orders, ${refunds.length} refunds, ${findings.length} findings, ready after ${(toReadyMs / 1000).toFixed(1)} s`,
    )
    if (findings.length > 0) return { kills, longestToReadyMs, findings }
  }
  return { kills, longestToReadyMs, findings: [] }
}

export const inspect = (scene: Inspected, comparison: typeof compare): Promise<Finding[]> =>
  withPool(scene.watched, async (pool) => {
    const observed = observedSoFar(scene.shop, scene.wallet, scene.receiver)
    const snapshot = await untilReached(performance.now() + completionTimeoutMs, () =>
      snapshotOf(scene, pool),
    )
    return comparison(snapshot, observed, scene.wallet, scene.receiver)
  })

const snapshotOf = ({ watched }: Inspected, pool: pg.Pool): Promise<Snapshot> =>
  watched.onNodes?.readSnapshot() ?? readSnapshot(pool)

/** Waits for all work to finish; returns the unfinished work. */
export function finish(scene: Inspected, log: CrashOptions['log']): Promise<Finding[]> {
  const { shop, wallet, receiver } = scene
  return withPool(scene.watched, async (pool) => {
    let isClosed = false
    void shop.close().then(() => {
      isClosed = true
    })
    const giveUpAt = performance.now() + completionTimeoutMs
    for (let round = 1; ; round += 1) {
      await sleep(roundMs)
      if (isClosed && wallet.open === 0) {
        const observed = observedSoFar(shop, wallet, receiver)
        const snapshot = await untilReached(giveUpAt, () => snapshotOf(scene, pool))
        const findings = compareFinal(snapshot, observed, wallet, receiver)
        log(`finishing: ${findings.length} left${findings[0] ? `, such as: ${findings[0].text}` : ''}`)
        if (findings.length === 0 || performance.now() > giveUpAt) return findings
        if (findings.some(({ kind }) => kind !== 'unresolved')) return findings
      } else if (performance.now() > giveUpAt) {
        return [
          {
            kind: 'unresolved',
            text: isClosed
              ? 'a callback of the wallet was not accepted'
              : 'a request of the shop has no response',
          },
        ]
      }
      if (round === 2) wallet.repeatCallbacks()
      if (round % 4 === 0)
        await untilReached(giveUpAt, () => scene.watched.onNodes?.passTime() ?? passTime(pool))
    }
  })
}

/** Repeats work while the database is away: a leader may change once more, and a busy machine be slow to accept a session. */
async function untilReached<Result>(giveUpAt: number, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw error
      await sleep(roundMs)
    }
  }
}

async function withPool<Result>(
  watched: Inspected['watched'],
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(watched.databaseUrl(), { maxConnections: 2 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
