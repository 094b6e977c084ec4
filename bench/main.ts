import { setTimeout as sleep } from 'node:timers/promises'
import { webBuilt } from '../scripts/lib/web-build.ts'
import { measureCreates } from './creates/measure.ts'
import { printCreates } from './creates/report.ts'
import { flushSettings } from './lib/conditions.ts'
import { type Gateway, startGateway } from './lib/gateway.ts'
import { needsPgbench, type Options, type Part, readOptions, usage } from './lib/options.ts'
import { findTool } from './lib/pgbench.ts'
import { measureLists } from './lists/measure.ts'
import { printLists } from './lists/report.ts'
import { measureLives } from './lives/measure.ts'
import { printLives } from './lives/report.ts'
import { livesSettings } from './lives/waiting-round.ts'
import { startWallet, type Wallet } from './lives/wallet.ts'
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

type Log = (line: string) => void

interface Benchmark {
  /** Whether the gateway's provider is a wallet of the bench. */
  readonly hasWallet?: boolean
  readonly environment?: Readonly<Record<string, string>>
  /** Measures with a gateway and a database of its own. @returns a function that prints the report */
  measure(run: { gateway: Gateway; wallet: Wallet; options: Options; log: Log }): Promise<() => void>
}

const benchmarks: Readonly<Record<Exclude<Part, 'start'>, Benchmark>> = {
  creates: {
    async measure({ gateway, options, log }) {
      const figures = await measureCreates(gateway, options, log)
      return () => printCreates(options, figures)
    },
  },
  lives: {
    hasWallet: true,
    async measure({ gateway, wallet, options, log }) {
      const figures = await measureLives(gateway, wallet, options, log)
      return () => printLives(options, figures)
    },
  },
  statements: {
    hasWallet: true,
    async measure({ gateway, wallet, options, log }) {
      const figures = await measureStatements(gateway, wallet, options, log)
      return () => printStatements(options, figures)
    },
  },
  'sign-in': {
    environment: signInEnvironment,
    async measure({ gateway, options, log }) {
      const figures = await measureSignIns(gateway, options, log)
      return () => printSignIns(options, figures)
    },
  },
  webhooks: {
    async measure({ gateway, options, log }) {
      const figures = await measureWebhooks(gateway, options, log)
      return () => printWebhooks(options, figures)
    },
  },
  memory: {
    async measure({ gateway, options, log }) {
      const samples = await measureMemory(gateway, options, log)
      return () => printMemory(samples)
    },
  },
  lists: {
    async measure({ gateway, options, log }) {
      const figures = await measureLists(gateway, options, log)
      return () => printLists(figures, options.listRounds)
    },
  },
}

async function runPart(part: Part, options: Options, cutShort: Promise<never>): Promise<void> {
  const log = (line: string) => console.error(`  ${line}`)
  if (part === 'start') {
    printStarts(await Promise.race([measureStarts(options, log), cutShort]))
    return
  }
  const { hasWallet = false, environment, measure } = benchmarks[part]
  const wallet = hasWallet ? await startWallet() : null
  const settings = hasWallet ? livesSettings : {}
  // Options change the conditions of creates and lives only.
  const gateway = needsPgbench(part)
    ? await startGateway(
        wallet ? { ECOCASH_URL: wallet.url } : {},
        { ...settings, ...flushSettings(options) },
        options.processes,
        options.cluster,
      )
    : await startGateway(wallet ? { ECOCASH_URL: wallet.url } : environment, settings)
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
    wallet?.stop()
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
