import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../simulator/src/main.ts', import.meta.url))

interface Transaction {
  readonly kind: 'charge' | 'refund'
  readonly correlator: string
  readonly status: string
  readonly callbacksSent: number
}

export interface Simulator {
  readonly url: string
  /** Sends a control call that returns nothing. */
  control(path: string, body: object): Promise<void>
  /** Sets the behaviour for the next charge by EcoCash, or for an existing one. */
  order(behaviour: object, correlator?: string): Promise<void>
  transactions(): Promise<readonly Transaction[]>
  stop(): Promise<void>
}

/** The provider as a process of its own, a hundred times faster than real time. */
export async function startSimulator(env: Readonly<Record<string, string>> = {}): Promise<Simulator> {
  const data = mkdtempSync(join(tmpdir(), 'muripo-simulator-'))
  const child = fork(main, {
    silent: true,
    execArgv: [],
    env: { ...process.env, SIMULATOR_PORT: '0', SIMULATOR_SPEED: '100', MURIPO_DATA: data, ...env },
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)))
    child.stdout?.once('data', (line: Buffer) => resolve(/http:\S+/.exec(line.toString())?.[0] ?? ''))
  })
  async function control(path: string, body: object): Promise<void> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.status !== 204) throw new Error(`the simulator refused an order: ${await response.text()}`)
  }
  return {
    url,
    control,
    order: (behaviour, correlator) =>
      control('/control/next', { behaviour, ...(correlator && { correlator }) }),
    async transactions() {
      const response = await fetch(`${url}/control/transactions`)
      return ((await response.json()) as { transactions: Transaction[] }).transactions
    },
    async stop() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
      rmSync(data, { recursive: true, force: true })
    },
  }
}
