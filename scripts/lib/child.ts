import { type ChildProcess, fork, spawn } from 'node:child_process'
import path from 'node:path'
import { youngGenerationArgs } from '../../apps/server/src/young-generation.ts'
import { repository } from './repository.ts'

export { youngGenerationArgs }

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

/** The directory of Node's cache of compiled modules. */
export const compileCache = path.join(repository, '.cache/compile')

/**
 * Starts a process outside of the terminal's process group, so that Ctrl-C reaches only the supervisor, which
 * stops all processes in order. Through the channel the process detects the death of the supervisor.
 */
export function startChild(name: string, file: string, environment: NodeJS.ProcessEnv): Child {
  const child = fork(file, {
    detached: true,
    execArgv: name === 'gateway' ? youngGenerationArgs() : [],
    env: { NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ['ignore', name === 'simulator' ? 'ignore' : 'inherit', 'inherit', 'ipc'],
  })
  const ended = endOf(child)
  return { name, process: child, ended, stop: (deadlineMs) => stopProcess(child, ended, deadlineMs) }
}

export const isRunning = (child: ChildProcess): boolean =>
  child.exitCode === null && child.signalCode === null

/** The end of a process that runs. */
export const endOf = (child: ChildProcess): Promise<Ending> =>
  new Promise((resolve) => {
    child.once('error', () => resolve({ code: 1, signal: null }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })

/** Requests an orderly stop; resolves after the exit, which is forced after the deadline. */
export async function stopProcess(
  child: ChildProcess,
  ended: Promise<Ending>,
  deadlineMs: number,
): Promise<Ending> {
  child.kill('SIGTERM')
  const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  const ending = await ended
  clearTimeout(deadline)
  return ending
}

/** The text that a process has written to its piped outputs so far. */
export function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return () => output
}

/** Runs a program to its end. A program that does not start has ended with 1. */
export function runToEnd(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = outputOf(child)
    child.once('error', (error) => resolve({ code: 1, output: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, output: output() }))
  })
}

const READY_CHECK_TIMEOUT_MS = 2000

/** Whether /readyz of a gateway answers 200. */
export async function isReady(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(READY_CHECK_TIMEOUT_MS)
  const answer = await fetch(new URL('/readyz', url), { signal }).catch(() => undefined)
  await answer?.body?.cancel().catch(() => undefined)
  return answer?.ok ?? false
}

export const inWords = ({ code, signal }: Ending) => (signal ? `killed by ${signal}` : `exit code ${code}`)
