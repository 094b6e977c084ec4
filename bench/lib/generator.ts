import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Load {
  /** Of one service; its connections are spread evenly over them. */
  readonly ports: readonly number[]
  readonly keys: readonly string[]
  /** Production's shape: keys by Zipf's law, and another amount in each request. Without it keys alternate, with one amount. */
  readonly isVaried?: boolean
  readonly connections: number
  readonly seconds: number
  /** Requests a second that fall due; without it each connection sends its next request on the answer to its last. */
  readonly rate?: number
  /** Payments to read, each with the key at the same place; without them payments are created. */
  readonly payments?: readonly string[]
  /** More than the gateway can carry: refusals are counted, and what is due at the end is not sent any more. */
  readonly isOverload?: boolean
}

export interface LoadResult {
  /** All answers, those after the end too. */
  readonly answered: number
  /** Every other answer, by status. */
  readonly refusals: Readonly<Record<string, number>>
  /** Of successful answers that came before the end. */
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuSeconds: number
}

export interface Generator {
  run(load: Load): Promise<LoadResult>
  stop(): void
}

/** @throws when anything but success was answered to a load that is no overload: a run with errors has no figure */
export function startGenerator(): Generator {
  const child: ChildProcess = fork(fileURLToPath(new URL('./generator-process.ts', import.meta.url)), {
    execArgv: [],
  })
  return {
    async run(load) {
      const result = await new Promise<LoadResult>((resolve, reject) => {
        child.once('message', resolve)
        child.once('exit', () => reject(new Error('the generator ended')))
        child.send(load)
      })
      child.removeAllListeners('exit')
      if (!load.isOverload && Object.keys(result.refusals).length > 0)
        throw new Error(
          `a run with errors has no figure; answers by status: ${JSON.stringify(result.refusals)}`,
        )
      return result
    },
    stop: () => child.disconnect(),
  }
}
