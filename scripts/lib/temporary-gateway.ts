import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { outputOf } from './child.ts'
import { freePort } from './free-port.ts'
import { repository } from './repository.ts'

const startTimeoutMs = 300_000
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * Runs a start script with its own data directory and ports during the work. The process and the directory are removed
 * afterwards, also after a failure or an interruption.
 */
export async function withGateway<T>(script: string, work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-'))
  const [port, simulatorPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [path.join(repository, script)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      SIMULATOR_PORT: String(simulatorPort),
      MURIPO_DATA: dataDir,
    },
  })
  const output = outputOf(child)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
  const handlers = Object.entries(signals).map(([signal, code]) => {
    const handler = () => void stop().then(() => process.exit(code))
    process.once(signal, handler)
    return [signal, handler] as const
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await ready(url, child, output)
    return await work(url)
  } finally {
    await stop()
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}

/** Waits for the last line that the start prints, after the sample data exists. */
async function ready(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (!output().includes('Muripo is ready')) {
    if (child.exitCode !== null || performance.now() > giveUpAt) {
      throw new Error(`The gateway did not become ready.\n${output()}`)
    }
    await sleep(50)
  }
  const answer = await fetch(`${url}/readyz`)
  if (!answer.ok) throw new Error(`The gateway is not ready: ${await answer.text()}`)
}
