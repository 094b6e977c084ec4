import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

/** The account that runs the database's programs. PostgreSQL refuses root, so root starts them as another account. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
  /** A command that becomes the account itself, where a plain change of user would not reach the files. */
  readonly prefix: readonly string[]
}

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

// A fixed environment: PGPORT, PGDATA and their like in the operator's shell must not steer this database.
const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** Starts a program under an account. */
export function start(
  command: string,
  args: readonly string[],
  account: Account,
  stdio: StdioOptions,
): ChildProcess {
  const [program = command, ...rest] = [...account.prefix, command, ...args]
  const direct = account.prefix.length === 0 && account.uid !== undefined && account.gid !== undefined
  return spawn(program, rest, {
    cwd: '/',
    env: environment,
    // Out of the terminal's process group: a key press must not end pg_ctl half way, nor the server before its gateway.
    detached: true,
    stdio,
    ...(direct ? { uid: account.uid, gid: account.gid } : {}),
  })
}

/** Runs a program to its end; a program that cannot be started counts as one that failed. */
export function run(
  command: string,
  args: readonly string[],
  account: Account = { prefix: [] },
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = start(command, args, account, ['ignore', 'pipe', 'pipe'])
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', (error) => resolve({ code: 127, stdout, stderr: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}
