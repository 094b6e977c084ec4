import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { signalProcess } from '@muripo/embedded-postgres/signal-process'
import type { ClusterFiles, Programs } from './programs.ts'

type Part = 'etcd' | 'patroni'

export interface Node {
  readonly name: string
  readonly host: string
  readonly dataDir: string
  /** Starts what does not run. */
  start(): void
  signal(part: Part, signal: NodeJS.Signals): void
  /** The postmaster, or the postmaster with its children. */
  signalPostgres(signal: NodeJS.Signals, withChildren?: boolean): void
  /** Leaves no byte on the disk of the node, and frees it again. */
  fillDisk(): void
  freeDisk(): void
}

/** A node, which does not run yet. */
export function createNode(nth: number, files: ClusterFiles, programs: Programs): Node {
  const name = `node${nth}`
  const home = files.folder(name)
  const dataDir = path.join(home, 'data')
  const ballast = path.join(home, 'ballast')
  const [etcd, patroni] = [files.configure('etcd.yml', nth, home), files.configure('patroni.yml', nth, home)]
  return {
    name,
    host: `${files.network}.${10 + nth}`,
    dataDir,
    start() {
      programs.start(`${name}-etcd`, '/usr/bin/etcd', '--config-file', etcd)
      programs.start(`${name}-patroni`, '/usr/bin/patroni', patroni)
    },
    signal: (part, signal) => programs.signal(`${name}-${part}`, signal),
    signalPostgres(signal, withChildren = false) {
      const postmaster = postmasterOf(dataDir)
      if (postmaster === null) return
      const children = withChildren ? childrenOf(postmaster) : []
      for (const pid of [postmaster, ...children]) signalProcess(pid, signal)
    },
    fillDisk() {
      // It ends with an error, when no space is left.
      spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M'])
    },
    freeDisk: () => rmSync(ballast, { force: true }),
  }
}

/** The first line of its lock file, which remains after a kill. */
function postmasterOf(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    // Another process may have received the id meanwhile.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir) ? pid : null
  } catch {
    return null
  }
}

function childrenOf(parent: number): number[] {
  try {
    return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number)
  } catch {
    return []
  }
}
