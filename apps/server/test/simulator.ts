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
  /** Sets the behaviour for the next charge, or for an existing one. */
  order(behaviour: object, correlator?: string): Promise<void>
  transactions(): Promise<readonly Transaction[]>
  stop(): Promise<void>
}

/** The provider as a process of its own, a hundred times faster than real time. */
export async function startSimulator(): Promise<Simulator> {
  const data = mkdtempSync(join(tmpdir(), 'muripo-simulator-'))
  const child = fork(main, {
    silent: true,
    execArgv: [],
    env: { ...process.env, SIMULATOR_PORT: '0', SIMULATOR_SPEED: '100', MURIPO_DATA: data },
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the simulator ended with ${code}`)))
    child.stdout?.once('data', (line: Buffer) => resolve(/http:\S+/.exec(line.toString())?.[0] ?? ''))
  })
  return {
    url,
    async order(behaviour, correlator) {
      const response = await fetch(`${url}/control/next`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ behaviour, ...(correlator && { correlator }) }),
      })
      if (response.status !== 204) throw new Error(`the simulator refused an order: ${await response.text()}`)
    },
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
