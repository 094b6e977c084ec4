import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { buildSimulator, type Simulator } from './app.ts'
import { parseConfig, type SimulatorConfig } from './config.ts'

function exit(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function build(): [SimulatorConfig, Simulator] {
  try {
    const config = parseConfig(process.env)
    return [config, buildSimulator(config, Date.now)]
  } catch (error) {
    exit(`simulator: ${(error as Error).message}`)
  }
}

if (process.argv.includes('--version')) {
  const manifest = new URL('../package.json', import.meta.url)
  process.stdout.write(`${JSON.parse(readFileSync(manifest, 'utf8')).version}\n`)
  process.exit()
}

const [config, simulator] = build()
const { app } = simulator

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await app.close()
  // Delayed replies of closed connections would keep the process alive until the end of their delay.
  process.exit(0)
}

process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
// A parent process that has died sends no signal, but its channel closes.
if (process.channel !== undefined && process.channel !== null) process.on('disconnect', () => void stop())

try {
  await app.listen({ host: '127.0.0.1', port: config.port })
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  exit(
    code === 'EADDRINUSE'
      ? `simulator: port ${config.port} is taken; set SIMULATOR_PORT to a free one`
      : `simulator: ${message}`,
  )
}
simulator.start()
const { port } = app.server.address() as AddressInfo
process.stdout.write(`simulator listening on http://127.0.0.1:${port}\n`)
