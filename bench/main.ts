import { setTimeout as sleep } from 'node:timers/promises'
import { buildWeb } from '../scripts/lib/web-build.ts'
import { measure } from './creates/measure.ts'
import { print } from './creates/report.ts'
import { flushSettings } from './lib/conditions.ts'
import { startGateway } from './lib/gateway.ts'
import { needsPgbench, type Options, type Part, readOptions, usage } from './lib/options.ts'
import { findTool } from './lib/pgbench.ts'
import { measureLists } from './lists/measure.ts'
import { printLists } from './lists/report.ts'
import { measureLives } from './lives/measure.ts'
import { startWallet, type Wallet } from './lives/payers.ts'
import { printLives } from './lives/report.ts'
import { livesSettings } from './lives/waiting-round.ts'
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

/** The arguments of `startGateway`. Options change the conditions of creates and lives only. */
function gatewayOf(part: Part, wallet: Wallet | null, options: Options): Parameters<typeof startGateway> {
  const environment = wallet ? { ECOCASH_URL: wallet.url } : part === 'sign-in' ? signInEnvironment : {}
  const settings = wallet ? livesSettings : {}
  return needsPgbench(part)
    ? [environment, { ...settings, ...flushSettings(options) }, options.processes, options.cluster]
    : [environment, settings]
}

/** Ends with whatever must be ended, also when a key press or an error cuts the run short. */
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
  await buildWeb((line) => console.error(line)).done

  const cut = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cut.abort())
  const cutShort = new Promise<never>((_, reject) => {
    cut.signal.addEventListener('abort', () => reject(new Error('cut short')))
  })
  const report = (line: string) => console.error(`  ${line}`)
  const parts = options.parts.filter((part) => !(isWithoutPgbench && needsPgbench(part)))
  for (const part of parts) {
    if (part === 'start') {
      printStarts(await Promise.race([measureStarts(options, report), cutShort]))
      continue
    }
    // Each benchmark has a gateway and a database of its own.
    const wallet = part === 'lives' || part === 'statements' ? await startWallet() : null
    const gateway = await startGateway(...gatewayOf(part, wallet, options))
    try {
      if (part === 'creates')
        print(options, await Promise.race([measure(gateway, options, report), cutShort]))
      else if (wallet && part === 'statements')
        printStatements(
          options,
          await Promise.race([measureStatements(gateway, wallet, options, report), cutShort]),
        )
      else if (wallet)
        printLives(options, await Promise.race([measureLives(gateway, wallet, options, report), cutShort]))
      else if (part === 'sign-in')
        printSignIns(options, await Promise.race([measureSignIns(gateway, options, report), cutShort]))
      else if (part === 'webhooks')
        printWebhooks(options, await Promise.race([measureWebhooks(gateway, options, report), cutShort]))
      else if (part === 'memory')
        printMemory(await Promise.race([measureMemory(gateway, options, report), cutShort]))
      else {
        const figures = measureLists(gateway, options, report)
        printLists(await Promise.race([figures, cutShort]), options.listRounds)
      }
    } finally {
      await gateway.stop()
      wallet?.stop()
    }
  }
  return 0
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`No figures: ${(error as Error).message}`)
  process.exitCode = 1
}
// Processes that outlive an interrupted run have already lost their gateway.
await sleep(0)
process.exit()
