import { nextMessage, startProcess } from './child-process.ts'

export interface Load {
  /** The ports of one gateway; the connections are spread evenly over them. */
  readonly ports: readonly number[]
  readonly keys: readonly string[]
  /** The shape of production: keys by Zipf's law, and another amount in each request. Otherwise keys are used in turn, with one amount. */
  readonly isVaried?: boolean
  readonly connections: number
  readonly seconds: number
  /** Requests a second that become due. Without it each connection sends its next request after the response to the last one. */
  readonly rate?: number
  /** Payments to read, each with the key at the same index. Without them payments are created. */
  readonly payments?: readonly string[]
  /** More than the gateway can carry: refusals are counted, and requests that are due at the end are not sent. */
  readonly isOverload?: boolean
}

export interface LoadResult {
  /** All responses, including those after the end. */
  readonly answered: number
  /** The number of other responses, by status. */
  readonly refusals: Readonly<Record<string, number>>
  /** The rate of successful responses before the end. */
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuSeconds: number
}

export interface Generator {
  run(load: Load): Promise<LoadResult>
  stop(): void
}

/** @throws when a load that is no overload received anything but success: a run with errors has no figure */
export function startGenerator(): Generator {
  const child = startProcess(new URL('./generator-process.ts', import.meta.url))
  return {
    async run(load) {
      child.send(load)
      const result = await nextMessage<LoadResult>(child, 'the generator')
      if (!load.isOverload && Object.keys(result.refusals).length > 0)
        throw new Error(
          `a run with errors has no figure; answers by status: ${JSON.stringify(result.refusals)}`,
        )
      return result
    },
    stop: () => child.disconnect(),
  }
}
