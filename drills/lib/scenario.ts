import type { Finding } from './compare.ts'
import {
  type Defaults,
  type Drill,
  type DrillWithOptions,
  defineDrill,
  type Options,
  refuse,
} from './define-drill.ts'
import { conclude, inspect } from './inspect.ts'
import { countFindings, type DrillReport, type Figure, logProgress, runDrill } from './report.ts'
import { countTraffic, type RecordSources } from './system.ts'

export interface Fault {
  readonly name: string
  /** Resolves when the gateway serves again or works on. @returns more for the line about it */
  inject(): Promise<string | undefined>
}

/** The system under a drill. A scenario adds the parts that its faults act on and the figures of its report. */
export interface World {
  readonly sources: RecordSources
  stop(): Promise<unknown>
}

interface Scenario<Given extends Defaults, Prepared extends World>
  extends Omit<DrillWithOptions<Given>, 'run'> {
  readonly name: string
  /** Why the drill cannot run with these options or on this machine; null when it can. */
  readonly refusal?: (options: Options<Given>) => string | null
  prepare(directory: string, options: Options<Given>): Promise<Prepared>
  /** In turn, while customers pay. A fault is made when the one before it has left no finding. */
  faults(world: Prepared, options: Options<Given>): Iterable<Fault> | AsyncIterable<Fault>
  /** When the faults are over and have left no finding, before the customers stop. */
  finish?(world: Prepared): Promise<void>
  report(world: Prepared, run: Run): Report | Promise<Report>
}

type Report = Omit<DrillReport, 'findings'>

interface Run {
  readonly traffic: Awaited<ReturnType<typeof countTraffic>>
  /** The number of findings of each kind. */
  readonly findings: readonly Figure[]
}

/** A drill in which faults happen one after the other while customers pay, and all records are compared after each and at the end. */
export const defineScenario = <const Given extends Defaults, Prepared extends World>(
  scenario: Scenario<Given, Prepared>,
): Drill =>
  defineDrill<Given>({
    ...scenario,
    async run(options) {
      const refusal = scenario.refusal?.(options) ?? null
      if (refusal !== null) refuse(refusal)
      await runDrill(scenario.name, async (directory) => {
        const world = await scenario.prepare(directory, options)
        try {
          const findings = await injectAll(world, scenario.faults(world, options))
          if (findings.length === 0) await scenario.finish?.(world)
          const all = await conclude(world.sources, findings)
          const traffic = await countTraffic(world.sources)
          const report = await scenario.report(world, { traffic, findings: countFindings(all) })
          return { ...report, findings: all }
        } finally {
          await world.stop()
        }
      })
    },
  })

/** @returns the first findings */
async function injectAll(
  { sources }: World,
  faults: Iterable<Fault> | AsyncIterable<Fault>,
): Promise<Finding[]> {
  for await (const { name, inject } of faults) {
    const more = await inject()
    const findings = await inspect(sources)
    const { orders, refunds } = sources.shop
    const counts = `${orders.length} orders, ${refunds.length} refunds, ${findings.length} findings`
    logProgress(`${name}: ${counts}${more ? `, ${more}` : ''}`)
    if (findings.length > 0) return findings
  }
  return []
}
