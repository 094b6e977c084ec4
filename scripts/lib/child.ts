import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { repository } from './repository.ts'

export interface Child {
  readonly name: string
  readonly process: ChildProcess
  /** The end of the process, with its exit code or signal. */
  readonly ended: Promise<Ending>
  /** Requests an orderly stop; resolves after the exit, which is forced after the deadline. */
  stop(deadlineMs: number): Promise<Ending>
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Node keeps compiled modules here, which a second start does not compile again. */
export const compileCache = path.join(repository, '.cache/compile')

/**
 * Starts a process outside of the terminal's process group, so that Ctrl-C reaches only the supervisor, which
 * stops all processes in order. Through the channel the process detects the death of the supervisor.
 */
export function startChild(name: string, file: string, environment: NodeJS.ProcessEnv): Child {
  const child = fork(file, {
    detached: true,
    execArgv: [],
    env: { NODE_COMPILE_CACHE: compileCache, ...environment },
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
