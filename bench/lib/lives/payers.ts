import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Lives {
  readonly port: number
  /** The application keys, used in turn. */
  readonly keys: readonly string[]
  readonly connections: number
  readonly seconds: number
}

export interface LivesResult {
  /** All that were paid, those after the end too. */
  readonly lived: number
  /** Of those that were paid before the end. */
  readonly perSecond: number
  /** Milliseconds from the first request to the last answer of a life. */
  readonly p50: number
  readonly p99: number
  readonly cpuSeconds: number
}

const start = (file: URL): ChildProcess => fork(fileURLToPath(file), { execArgv: [] })

/** @throws when anything but success was answered: a run with errors has no figure */
export function startPayers(): { run(lives: Lives): Promise<LivesResult>; stop(): void } {
  const child = start(new URL('../../payers.ts', import.meta.url))
  return {
    async run(lives) {
      const over = new AbortController()
      const ended = once(child, 'exit', { signal: over.signal }).then(() => {
        throw new Error('the payers ended')
      })
      child.send(lives)
      try {
        const [result] = (await Promise.race([once(child, 'message'), ended])) as [LivesResult]
        return result
      } finally {
        ended.catch(() => undefined)
        over.abort()
      }
    },
    stop: () => child.disconnect(),
  }
}

export async function startWallet(): Promise<{
  readonly pid: number
  readonly url: string
  stop(): void
}> {
  const child = start(new URL('../../wallet.ts', import.meta.url))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}/payment/v1`, stop: () => child.disconnect() }
}
