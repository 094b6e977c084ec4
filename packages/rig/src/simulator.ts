import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { compileCache, isRunning } from '../../../scripts/lib/child.ts'
import { repository } from '../../../scripts/lib/repository.ts'
import { callOk } from './call.ts'
import { freePort } from './listen.ts'
import { type ProviderRecord, readRecords } from './provider-records.ts'
import { until } from './until.ts'

/** The simulator of all providers, which keeps the records of moved money. */
export interface Simulator {
  readonly url: string
  readonly pid: number
  /** Of a gateway whose providers are simulated. */
  readonly environment: Readonly<Record<string, string>>
  /** Orders misbehaviour, or changes a record without a request of the gateway. */
  control(path: string, body: object): Promise<void>
  /** Reads one of its lists. */
  read<Body>(path: string): Promise<Body>
  records(): Promise<ReadonlyMap<string, ProviderRecord>>
  close(): Promise<void>
}

/** The speed of the simulator in a drill. */
export const SPEED = 20

/**
 * @param directory of its records, which no drill destroys; null for records in memory
 * @param speed divides the simulator's delays, and the windows of its limits of calls
 */
export async function startSimulator(directory: string | null, speed = SPEED): Promise<Simulator> {
  if (directory !== null) mkdirSync(directory, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = fork(path.join(repository, 'apps/simulator/src/main.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      SIMULATOR_PORT: String(port),
      SIMULATOR_SPEED: String(speed),
      SIMULATOR_KEEP: '1000000',
      ...(directory === null ? { SIMULATOR_RECORDS: 'memory' } : { MURIPO_DATA: directory }),
    },
  })
  await until('The simulator', async () => (await fetch(`${url}/healthz`).catch(() => null)) ?? undefined)
  const read = <Body>(from: string) => callOk<Body>('GET', `${url}/control${from}`)
  return {
    url,
    pid: child.pid ?? 0,
    environment: { SIMULATOR_PORT: String(port) },
    control: (to, body) => callOk('POST', `${url}/control${to}`, { body }),
    read,
    records: () => readRecords(read),
    async close() {
      if (!isRunning(child)) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
