import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, chanceOf } from '@muripo/rig/chance'
import type { Victim } from '@muripo/rig/restarting-gateway'
import type { Finding } from '../lib/compare.ts'
import { conclude, inspect } from '../lib/inspect.ts'
import { countFindings, type DrillReport, logProgress } from '../lib/report.ts'
import { countTraffic, type DrillSystem, startSystem, stopSystem } from '../lib/system.ts'

interface CrashOptions {
  readonly kills: number
  readonly seed: number
  readonly only: 'gateway' | 'postgres' | null
  /** Number of concurrent customers. */
  readonly customers: number
}

/** Kills the gateway and its database repeatedly under load, and compares all records. */
export async function crash(directory: string, options: CrashOptions): Promise<DrillReport> {
  const system = await startSystem(directory, options)
  try {
    const killed = await killAll(system, options, chanceOf(options.seed))
    const findings = await conclude(system, killed.findings)
    const { kills } = killed
    const traffic = await countTraffic(system)
    return {
      figures: [
        ['kills', `${kills.gateway} gateway, ${kills.postgres} PostgreSQL, ${kills.both} both`],
        ['acknowledged payments', traffic.payments],
        ['paid', traffic.paid],
        ['acknowledged refunds', traffic.refunds],
        ['cancelled', traffic.cancelled],
        [
          'events delivered',
          `${traffic.deliveries}, and ${traffic.deliveredAgain} times again under the same id`,
        ],
        ...countFindings(findings),
        ['longest until ready again', `${(killed.longestToReadyMs / 1000).toFixed(1)} s`],
        ['starts that failed', system.gateway.failedStarts],
      ],
      findings,
    }
  } finally {
    await stopSystem(system)
  }
}

interface Killed {
  readonly kills: Record<Victim, number>
  readonly longestToReadyMs: number
  readonly findings: readonly Finding[]
}

async function killAll(system: DrillSystem, options: CrashOptions, chance: Chance): Promise<Killed> {
  const { gateway } = system
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
      while (!gateway.kill(victim)) await sleep(10)
      kills[victim] += 1
      left -= 1
      await sleep(chance.gapMs(300, 0, 1000))
    }
    await gateway.ready()
    const toReadyMs = performance.now() - since
    longestToReadyMs = Math.max(longestToReadyMs, toReadyMs)
    const findings = await inspect(system)
    const { orders, refunds } = system.shop
    logProgress(
      `${options.kills - left} kills: ${orders.length} orders, ${refunds.length} refunds, ${findings.length} findings, ready after ${(toReadyMs / 1000).toFixed(1)} s`,
    )
    if (findings.length > 0) return { kills, longestToReadyMs, findings }
  }
  return { kills, longestToReadyMs, findings: [] }
}
