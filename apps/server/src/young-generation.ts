import { totalmem } from 'node:os'

const GIB = 1024 ** 3
const FLAG = '--max-semi-space-size'

/**
 * The young generation of V8 is most of a gateway's memory under load. A smaller one costs processor time, so that only machines with little
 * memory have it; `docs/performance.md` has the figures.
 */
const sizes = [
  { upToBytes: 2.25 * GIB, mib: 12 },
  { upToBytes: 4 * GIB, mib: 16 },
] as const

/** The memory of the machine or of the container. */
function machineMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** The arguments of Node for a gateway on this machine; none where an operator has chosen a size. */
export function youngGenerationArgs(
  { execArgv, env }: Pick<NodeJS.Process, 'execArgv' | 'env'> = process,
  memoryBytes = machineMemory(),
): string[] {
  if (`${env.NODE_OPTIONS} ${execArgv}`.replaceAll('_', '-').includes(FLAG)) return []
  const size = sizes.find(({ upToBytes }) => memoryBytes <= upToBytes)
  return size ? [`${FLAG}=${size.mib}`] : []
}

/** Starts this program again, in the same process, when the machine has little memory: V8 reads the size only once. */
export function limitYoungGeneration(args = youngGenerationArgs()): void {
  // A supervisor has passed the arguments, and its channel would be lost.
  if (process.send || args.length === 0 || !process.execve) return
  const { execPath, execArgv, argv, env } = process
  process.execve(execPath, [execPath, ...args, ...execArgv, ...argv.slice(1)], env)
}
