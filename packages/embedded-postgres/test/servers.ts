import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterParent } from '@muripo/testing/cluster-parent'
import pg from 'pg'
import { afterAll, afterEach } from 'vitest'
import { startEmbeddedPostgres } from '../src/embedded-postgres.ts'
import { findPostmaster } from '../src/postmaster.ts'
import { signalProcess } from '../src/signal-process.ts'

export const quiet = { log: () => {} }
export const cleanUps: (() => Promise<void> | void)[] = []

/** Registers the ends of what a test started. Each file calls it, because the files of a worker share this module. */
export function cleanUpAfterTests(): void {
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  })
  afterAll(async () => {
    if (used) rmSync(await used, { recursive: true, force: true })
    used = undefined
  })
}

export function dataDirectory(parent = clusterParent()): string {
  const directory = mkdtempSync(path.join(parent, 'muripo-embedded-'))
  cleanUps.push(async () => {
    const left = postmaster(directory)
    if (left) signalProcess(left.pid, 'SIGKILL')
    while (postmaster(directory)) await new Promise((resolve) => setTimeout(resolve, 10))
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

let used: Promise<string> | undefined

/** A data directory that a first start has initialised: a copy, because an initialisation takes longer than the rest of a test. */
export async function usedDirectory(): Promise<string> {
  used ??= initialised()
  const directory = dataDirectory()
  // Node's own copy loses the account of a file.
  execFileSync('cp', ['-a', `${await used}/.`, directory])
  return directory
}

async function initialised(): Promise<string> {
  const directory = mkdtempSync(path.join(clusterParent(), 'muripo-embedded-'))
  await (await startEmbeddedPostgres({ dataDir: directory, ...quiet })).stop()
  return directory
}

export const postmaster = (dataDir: string) => findPostmaster(path.join(dataDir, 'postgres'))

export async function start(dataDir: string, onLost?: (reason: string) => void) {
  const database = await startEmbeddedPostgres({ dataDir, ...quiet, ...(onLost ? { onLost } : {}) })
  cleanUps.push(() => database.stop())
  return database
}

export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

export async function startProcess(
  dataDir: string,
): Promise<{ child: ChildProcess; answer: Record<string, string> }> {
  const file = fileURLToPath(new URL('./embedded-process.ts', import.meta.url))
  const child = fork(file, [dataDir], { detached: true, execArgv: [] })
  const [answer] = (await once(child, 'message')) as [Record<string, string>]
  return { child, answer }
}

export async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
