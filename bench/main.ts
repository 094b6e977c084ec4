import { setTimeout as sleep } from 'node:timers/promises'
import { webBuilt } from '../scripts/lib/web-build.ts'
import { measureCreates } from './creates/measure.ts'
import { printCreates } from './creates/report.ts'
import { flushSettings } from './lib/conditions.ts'
import { type Run, startGateway } from './lib/gateway.ts'
import { needsPgbench, type Options, type Part, readOptions, usage } from './lib/options.ts'
import { findTool } from './lib/pgbench.ts'
import { measureLists } from './lists/measure.ts'
import { printLists } from './lists/report.ts'
import { measureLives } from './lives/measure.ts'
import { printLives } from './lives/report.ts'
import { livesSettings } from './lives/waiting-round.ts'
import { startWallet } from './lives/wallet.ts'
import { measureMemory } from './memory/measure.ts'
import { printMemory } from './memory/report.ts'
import { measureSignIns, signInEnvironment } from './sign-in/measure.ts'
import { printSignIns } from './sign-in/report.ts'
import { measureStarts } from './start/measure.ts'
import { printStarts } from './start/report.ts'
import { measureStatements } from './statements/measure.ts'
import { printStatements } from './statements/report.ts'
import { measureWebhooks } from './webhooks/measure.ts'
import { printWebhooks } from './webhooks/report.ts'

interface Benchmark {
  /** Whether the gateway's provider is a wallet of the bench. */
  readonly hasWallet?: boolean
  readonly environment?: Readonly<Record<string, string>>
  /** @returns a function that prints the report */
  measure(run: Run): Promise<() => void>
}

const benchmark = <Figures>(
  measure: (run: Run) => Promise<Figures>,
  print: (figures: Figures, options: Options) => void,
  conditions: Omit<Benchmark, 'measure'> = {},
): Benchmark => ({
  ...conditions,
  async measure(run) {
    const figures = await measure(run)
    return () => print(figures, run.options)
  },
})

const benchmarks: Readonly<Record<Exclude<Part, 'start'>, Benchmark>> = {
  creates: benchmark(measureCreates, printCreates),
  lives: benchmark(measureLives, printLives, { hasWallet: true }),
  statements: benchmark(measureStatements, printStatements, { hasWallet: true }),
  'sign-in': benchmark(measureSignIns, printSignIns, { environment: signInEnvironment }),
  webhooks: benchmark(measureWebhooks, printWebhooks),
  memory: benchmark(measureMemory, printMemory),
  lists: benchmark(measureLists, printLists),
}

const usualConditions = { flushDelayMs: 0, processes: 1, cluster: null }

async function runPart(part: Part, options: Options, cutShort: Promise<never>): Promise<void> {
  const log = (line: string) => console.error(`  ${line}`)
  if (part === 'start') {
    printStarts(await Promise.race([measureStarts({ options, log }), cutShort]))
    return
  }
  const { hasWallet = false, environment, measure } = benchmarks[part]
  const wallet = hasWallet ? await startWallet() : null
  // Options change the conditions of creates and lives only.
  const { flushDelayMs, processes, cluster } = needsPgbench(part) ? options : usualConditions
  const gateway = await startGateway(
    { ...environment, ...wallet?.environment },
    { ...(hasWallet && livesSettings), ...flushSettings(flushDelayMs) },
    processes,
    cluster,
  )
  const run = {
    gateway,
    options,
    log,
    get wallet() {
      if (!wallet) throw new Error(`${part} has no wallet`)
      return wallet
    },
  }
  try {
    const print = await Promise.race([measure(run), cutShort])
    print()
  } finally {
    await gateway.stop()
    await wallet?.stop()
  }
}

/** Runs the parts, and stops their processes also when a signal or an error interrupts the run. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env.CITUS_URL)
  if (!options) {
    console.log(usage)
    return 0
  }
  if (process.platform !== 'linux') {
    console.error('The bench reads /proc and runs on Linux only.')
    return 1
  }
  const isWithoutPgbench = !findTool('pgbench')
  if (isWithoutPgbench && options.parts.some(needsPgbench)) {
    console.error(
      'pgbench is not installed: apt-get install postgresql (Debian) brings it, and pg_test_fsync.',
    )
    if (!options.quick) return 1
  }
  await webBuilt()

  const cut = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cut.abort())
  const cutShort = new Promise<never>((_, reject) => {
    cut.signal.addEventListener('abort', () => reject(new Error('cut short')))
  })
  for (const part of options.parts)
    if (!isWithoutPgbench || !needsPgbench(part)) await runPart(part, options, cutShort)
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`No figures: ${(error as Error).message}`)
  process.exitCode = 1
}
// The processes of an interrupted run have already lost their gateway.
await sleep(0)
process.exit()
