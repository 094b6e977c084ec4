import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** One page of a browser, driven by the browser's own protocol. */
export interface Browser {
  goto(url: string): Promise<void>
  /** The value of an expression in the page, as JSON. */
  evaluate<T>(expression: string): Promise<T>
  close(): Promise<void>
}

/** A program that is not installed, and the package that contains it. */
export const missing = (name: string, packages: string): Error =>
  new Error(`${name} is missing. Install it with: apt-get install -y ${packages}`)

export interface Program {
  readonly process: ChildProcess
  /** The first group of the pattern in the output of the program. */
  readonly reported: string
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 60_000

/** Starts a program and waits for a line of its output. */
export async function start(
  command: readonly [string, ...string[]],
  pattern: RegExp,
  absent: Error,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const [program, ...args] = command
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'close').catch(() => undefined)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, group] = pattern.exec(output) ?? []
      if (group !== undefined) resolve(group)
    })
  child.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ENOENT' ? absent : error))
  child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${output}`)))
  const timer = setTimeout(() => reject(new Error(`${program} did not start: ${output}`)), START_TIMEOUT_MS)
  const reported = await promise.finally(() => clearTimeout(timer))
  return {
    process: child,
    reported,
    async stop() {
      child.kill()
      await ended
    },
  }
}

/** A folder for the browser's profile, which is removed at the end. */
export function temporaryProfile(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'muripo-browser-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
