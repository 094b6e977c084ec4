import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Node } from './node.ts'

export const kinds = ['kill', 'switchover', 'partition', 'pause', 'disk-full'] as const
export type Kind = (typeof kinds)[number]
/** A full disk needs root, and is practised only when it is requested by name. */
export const kindsInTurn = kinds.filter((kind) => kind !== 'disk-full')

export interface LeaderFault {
  readonly name: string
  inject(leader: Node): unknown
  /** Restores the former leader, after creates succeed again. */
  recover(former: Node): unknown
}

/** The time until an operator replaces a leader whose disk is full: Patroni keeps the leader as long as its PostgreSQL runs. */
const OPERATOR_MS = 5000

/** First the leader's PostgreSQL fails alone, then with Patroni, then with etcd, as when a machine is lost. */
const kills: readonly LeaderFault[] = [
  {
    name: 'kill PostgreSQL',
    inject: (leader) => leader.signalPostgres('SIGKILL'),
    recover: (former) => former.start(),
  },
  {
    name: 'kill PostgreSQL and Patroni',
    inject(leader) {
      leader.signal('patroni', 'SIGKILL')
      leader.signalPostgres('SIGKILL')
    },
    recover: (former) => former.start(),
  },
  {
    name: 'kill PostgreSQL, Patroni and etcd',
    inject(leader) {
      leader.signal('etcd', 'SIGKILL')
      leader.signal('patroni', 'SIGKILL')
      leader.signalPostgres('SIGKILL')
    },
    recover: (former) => former.start(),
  },
]

/** The kernel still answers connections to a frozen etcd, unlike those to a lost machine, so etcd is killed. */
function cutOff(node: Node): void {
  node.signal('patroni', 'SIGSTOP')
  node.signal('etcd', 'SIGKILL')
}

function rejoin(node: Node): void {
  node.signal('patroni', 'SIGCONT')
  node.start()
}

export function faultOf(cluster: Cluster, kind: Kind, nth: number): LeaderFault {
  switch (kind) {
    case 'kill':
      return kills[nth % kills.length] as LeaderFault
    case 'switchover':
      return { name: 'switchover', inject: (leader) => cluster.switchOver(leader), recover: () => undefined }
    case 'partition':
      // PostgreSQL serves on after its lock has expired, as on the other side of a partition.
      return { name: 'partition', inject: cutOff, recover: rejoin }
    case 'pause':
      return {
        name: 'pause',
        inject(leader) {
          cutOff(leader)
          leader.signalPostgres('SIGSTOP', true)
        },
        recover(former) {
          former.signalPostgres('SIGCONT', true)
          rejoin(former)
        },
      }
    case 'disk-full':
      return {
        name: 'disk full',
        async inject(leader) {
          leader.fillDisk()
          await sleep(OPERATOR_MS)
          // A PostgreSQL that could not write its log has exited, and Patroni has replaced it.
          if ((await cluster.leader()) === leader) await cluster.switchOver(leader)
        },
        recover(former) {
          former.freeDisk()
          former.start()
        },
      }
  }
}
