import { nextMessage, startProcess } from './child-process.ts'
import type { Generator, LoadResult } from './generator.ts'
import { processCpu } from './meter.ts'
import { microseconds } from './report-lines.ts'

/** A server of the gateway's routes that gives one answer and has no database. */
export interface HttpOnly {
  readonly pid: number
  readonly port: number
  stop(): void
}

export async function startHttpOnly(answer: object): Promise<HttpOnly> {
  const child = startProcess(new URL('./http-only-process.ts', import.meta.url))
  child.send({ answer: JSON.stringify(answer) })
  const { port } = await nextMessage<{ port: number }>(child, 'the server without a database')
  return { pid: child.pid ?? 0, port, stop: () => child.disconnect() }
}

/** A round of bare requests, and the processor seconds that the server used for one. */
export async function bareRequests(
  { pid, port }: HttpOnly,
  generator: Generator,
  load: Omit<Parameters<Generator['run']>[0], 'ports'>,
): Promise<Pick<LoadResult, 'perSecond' | 'p99'> & { readonly cpu: number }> {
  const before = processCpu(pid)
  const { perSecond, p99, answered }: LoadResult = await generator.run({ ports: [port], ...load })
  return { perSecond, p99, cpu: (processCpu(pid) - before) / answered }
}

/** Processor seconds, also in bare requests of the same run: that figure hardly depends on the machine. */
export const inBareRequests = (seconds: number, bare: number): string =>
  `${(seconds / bare).toFixed(1)} H   ${microseconds(seconds)}`
