import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ending, endOf, isReady, isRunning, stopProcess } from '../../scripts/lib/child.ts'
import { freePort } from '../../scripts/lib/free-port.ts'
import { forkGateway } from './gateway-process.ts'

export type Role = 'api' | 'worker' | 'all'

export interface LogLine {
  readonly level: number
  readonly msg: string
}

interface MemberOptions {
  readonly name: string
  readonly role: Role
  /** The source tree of its version. */
  readonly tree: string
}

const READY_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 60_000
const ERROR_LEVEL = 50

/** Starts one of several processes of the gateway on one database. */
export async function startMember(
  options: MemberOptions,
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<Member> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const logFile = path.join(directory, `${options.name}.log`)
  const child = forkGateway(options.tree, logFile, {
    LOG_LEVEL: 'info',
    ROLE: options.role,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    MURIPO_DATA: directory,
    ...environment,
  })
  return new Member(options, child, logFile, { port, metricsPort })
}

export class Member {
  readonly name: string
  readonly role: Role
  readonly url: string
  readonly ended: Promise<Ending>
  private readonly child: ChildProcess
  private readonly logFile: string
  private readonly metricsUrl: string

  constructor(
    { name, role }: MemberOptions,
    child: ChildProcess,
    logFile: string,
    { port, metricsPort }: { readonly port: number; readonly metricsPort: number },
  ) {
    this.name = name
    this.role = role
    this.child = child
    this.logFile = logFile
    this.url = `http://127.0.0.1:${port}`
    this.metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
    this.ended = endOf(child)
  }

  isRunning(): boolean {
    return isRunning(this.child)
  }

  /** Resolves when /readyz answers 200. */
  async ready(): Promise<void> {
    const giveUpAt = performance.now() + READY_TIMEOUT_MS
    while (!(await isReady(this.url))) {
      if (!this.isRunning() || performance.now() > giveUpAt)
        throw new Error(
          `${this.name} did not become ready: ${readFileSync(this.logFile, 'utf8').slice(-2000)}`,
        )
      await sleep(50)
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  stop(): Promise<Ending> {
    return stopProcess(this.child, this.ended, STOP_TIMEOUT_MS)
  }

  async metrics(): Promise<string> {
    return (await fetch(this.metricsUrl)).text()
  }

  /** The log, one object for each line. */
  logged(): LogLine[] {
    const text = existsSync(this.logFile) ? readFileSync(this.logFile, 'utf8') : ''
    return text.split('\n').flatMap(readLine)
  }
}

function readLine(line: string): LogLine[] {
  try {
    return [JSON.parse(line) as LogLine]
  } catch {
    return []
  }
}

export const isError = ({ level }: LogLine): boolean => level >= ERROR_LEVEL

/** The error lines in the logs of several processes, counted by message. */
export function countErrors(members: readonly Member[]): Map<string, number> {
  const errors = members.flatMap((member) => member.logged().filter(isError))
  return new Map([...Map.groupBy(errors, ({ msg }) => msg)].map(([msg, lines]) => [msg, lines.length]))
}
