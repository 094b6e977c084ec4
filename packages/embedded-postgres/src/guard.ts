import type { Socket } from 'node:net'
import { type Account, start } from './command.ts'
import { signalProcess } from './signal-process.ts'

/** A postmaster that ends with the process that started it. */
export interface GuardedServer {
  /** Of the postmaster; undefined when it was not started. */
  readonly pid: number | undefined
  /** Resolves when every process of the server, and the guard, has ended. */
  readonly ended: Promise<void>
}

/**
 * The guard reads a pipe whose other end only the gateway has open, and shuts the server down at the end of the pipe, however the
 * gateway ended. When the guard itself dies, Linux sends the postmaster the same signal. A shutdown that hangs, for example on an
 * archive that does not answer, becomes an immediate one, which loses nothing: the next start replays the log.
 *
 * Signals repeat, because a postmaster that is still being loaded ignores them. `wait` reports the end: a process that nobody has
 * waited for still accepts signals. PostgreSQL ignores a lock file with the id of an ancestor, which it learns from the variable.
 */
const guard = `
trap '' HUP INT TERM
export PG_GRANDPARENT_PID=$PPID
if setpriv --pdeathsig INT true 2>/dev/null; then set -- setpriv --pdeathsig INT "$@"; fi
"$@" </dev/null &
server=$!
echo "$server" >&3
exec 3>&-
while read -r _; do :; done
{
  turn=0
  while kill -s "$([ $turn -lt 50 ] && echo INT || echo QUIT)" "$server"; do
    turn=$((turn + 1))
    sleep 0.2
  done
} 2>/dev/null &
killer=$!
wait "$server"
kill -KILL "$killer" 2>/dev/null
`

/** Starts a server whose output goes to a file. */
export async function startGuarded(
  command: readonly [string, ...string[]],
  log: number,
  account: Account,
): Promise<GuardedServer> {
  const child = start('/bin/sh', ['-c', guard, 'muripo-guard', ...command], account, [
    'pipe',
    log,
    log,
    'pipe',
  ])
  const alive = child.stdin as Socket
  // The server inherits this one, and it closes when the last process of the server has ended.
  const held = child.stdio[3] as Socket
  const { promise: announced, resolve: announce } = Promise.withResolvers<number | undefined>()
  let text = ''
  held.setEncoding('utf8').on('data', (part: string) => {
    text += part
    if (text.includes('\n')) announce(Number.parseInt(text, 10))
  })
  const serverEnded = new Promise<void>((resolve) => {
    const finish = () => {
      announce(undefined)
      alive.destroy()
      held.destroy()
      resolve()
    }
    held.on('end', finish).on('error', finish)
    child.on('error', finish)
  })
  alive.on('error', () => {})
  const guardEnded = new Promise<void>((resolve) => {
    child.on('error', () => resolve()).on('exit', () => resolve())
  })
  const pid = await announced
  void guardEnded.then(() => {
    // Where the kernel does not report the death of a parent.
    if (!held.destroyed && pid !== undefined) signalProcess(pid, 'SIGINT')
  })
  return { pid, ended: Promise.all([serverEnded, guardEnded]).then(() => undefined) }
}
