import { type ChildProcess, fork } from 'node:child_process'

export interface Child {
  readonly name: string
  readonly process: ChildProcess
  /** The end of the process, with its exit code or signal. */
  readonly ended: Promise<Ending>
  /** Asks it to finish what is in flight; resolves when it is gone, by force after the deadline. */
  stop(deadlineMs: number): Promise<Ending>
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * Starts one of our processes outside of the terminal's process group, so that a key press reaches only the supervisor,
 * who knows the order; through the channel it notices when the supervisor itself dies.
 */
export function startChild(name: string, file: string, environment: NodeJS.ProcessEnv): Child {
  const child = fork(file, {
    detached: true,
    execArgv: [],
    env: environment,
    stdio: ['ignore', name === 'simulator' ? 'ignore' : 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', () => resolve({ code: 1, signal: null }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  return {
    name,
    process: child,
    ended,
    async stop(deadlineMs) {
      child.kill('SIGTERM')
      const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
      const ending = await ended
      clearTimeout(deadline)
      return ending
    },
  }
}

export const inWords = ({ code, signal }: Ending) => (signal ? `killed by ${signal}` : `exit code ${code}`)
