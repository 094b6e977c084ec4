import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from '@muripo/embedded-postgres/signal-process'
import { clusterParent } from '@muripo/testing/cluster-parent'

export interface Found {
  readonly pid: number
  readonly command: string
  readonly isDatabase: boolean
}

/** The running processes of a gateway, found by the data directory in their environment or by their working directory. */
export function processesOf(dataDir: string): Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const isDatabase =
        read(() => readlinkSync(`/proc/${name}/cwd`))?.startsWith(path.join(dataDir, 'postgres')) ?? false
      const environment = read(() => readFileSync(`/proc/${name}/environ`, 'utf8')) ?? ''
      const isOurs = isDatabase || environment.split('\0').includes(`MURIPO_DATA=${dataDir}`)
      const command =
        read(() => readFileSync(`/proc/${name}/cmdline`, 'utf8'))
          ?.replaceAll('\0', ' ')
          .trim() ?? ''
      // A zombie process has no command line.
      return isOurs && command ? [{ pid: Number(name), command, isDatabase }] : []
    })
}

function read(file: () => string): string | undefined {
  try {
    return file()
  } catch {
    return undefined
  }
}

export const temporaryDataDir = (): string => mkdtempSync(path.join(clusterParent(), 'muripo-e2e-'))

/** Ends remaining processes of a data directory and removes it; returns these processes. */
export async function clear(dataDir: string): Promise<Found[]> {
  const left = processesOf(dataDir)
  for (const { pid } of left) signalProcess(pid, 'SIGKILL')
  while (processesOf(dataDir).length > 0) await sleep(20)
  rmSync(dataDir, { recursive: true, force: true })
  return left
}
