import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

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
