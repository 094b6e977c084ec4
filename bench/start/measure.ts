import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { launch } from '@muripo/rig/gateway'
import { compileCache } from '../../scripts/lib/child.ts'
import { buildWeb, webBuild } from '../../scripts/lib/web-build.ts'
import type { Run } from '../lib/gateway.ts'
import { findBelow, postgresCpu, residentMb, treeCpu } from '../lib/meter.ts'

/** One start, from the command to the first 200 of /readyz. */
export interface Start {
  readonly seconds: number
  /** Processor seconds of all its processes until then. */
  readonly cpu: number
  /** Resident memory of the gateway after it has served nothing for some seconds, in MB. */
  readonly memoryMb: number
}

export interface StartFigures {
  /** As after `npm ci`: no data, no web app, no compiled modules. */
  readonly cold: readonly Start[]
  /** No data; the web app is built. */
  readonly empty: readonly Start[]
  /** The data of the start before. */
  readonly warm: readonly Start[]
}

const IDLE_MS = 5000

/** Starts the documented command on directories of its own. The web app and the compiled modules of this checkout are built again. */
export async function measureStarts({ options, log }: Pick<Run, 'options' | 'log'>): Promise<StartFigures> {
  const { rounds } = options
  const figures = { cold: [] as Start[], empty: [] as Start[], warm: [] as Start[] }
  for (let round = 1; round <= rounds; round += 1) {
    log(`round ${round} of ${rounds}`)
    for (const directory of [webBuild, compileCache]) rmSync(directory, { recursive: true, force: true })
    await inNewDirectory(async (dataDir) => figures.cold.push(await start(dataDir)))
    // The cold start was ended before the last file of the web app was compressed.
    await buildWeb(() => undefined).done
    await inNewDirectory(async (dataDir) => {
      figures.empty.push(await start(dataDir))
      figures.warm.push(await start(dataDir))
    })
  }
  return figures
}

async function inNewDirectory(work: (dataDir: string) => Promise<unknown>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-bench-'))
  try {
    await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function start(dataDir: string): Promise<Start> {
  // Its supervisor has no compiled modules, as at the documented command.
  const gateway = await launch({ dataDir, environment: { NODE_COMPILE_CACHE: undefined } })
  const { pid = 0 } = gateway.process
  try {
    const seconds = (await gateway.ready()) / 1000
    const postmaster = findPostmaster(path.join(dataDir, 'postgres'))
    const cpu = treeCpu(pid) + postgresCpu(postmaster?.pid ?? 0)
    await sleep(IDLE_MS)
    const server = findBelow(pid, 'apps/server/src/main.ts')
    return { seconds, cpu, memoryMb: server === undefined ? Number.NaN : residentMb(server) }
  } finally {
    await gateway.stop()
  }
}
