import { hostname, userInfo } from 'node:os'
import { text } from 'node:stream/consumers'
import { version } from '../platform/version.ts'
import { Refused } from './command.ts'
import { type Installation, installationOf } from './installation.ts'
import type { Result } from './run-command.ts'

const { env } = process
const words = process.argv.slice(2)
/** `muripo admin doctor` is `muripo doctor`. */
const argv = words[0] === 'admin' ? words.slice(1) : words

/** An account without a name, as in a container, is shown by its number. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

const operator = env.MURIPO_OPERATOR ?? env.SUDO_USER ?? accountName()

/** Replaces this process: Node reads NODE_EXTRA_CA_CERTS at its start only, and files of a command belong to the account of the service. */
function becomeService({ uid, gid, env: settings }: Installation): void {
  process.umask(0o077)
  if (process.getuid?.() !== uid) {
    const { initgroups } = process as { initgroups?(user: number, group: number): void }
    initgroups?.(uid, gid)
    process.setgid?.(gid)
    process.setuid?.(uid)
  }
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...argv]
  process.execve?.(process.execPath, program, { ...settings, MURIPO_OPERATOR: operator })
}

/** A command that deploy/muripo has started gets the account and the settings of the service; help and version need neither. */
function installation(): Installation | null {
  if (env.MURIPO_RELEASE === undefined || env.MURIPO_OPERATOR !== undefined) return null
  if (argv.length === 0 || /^(help|-h|--help)$/.test(argv[0] ?? '')) return null
  return installationOf(env.MURIPO_RELEASE, { uid: process.getuid?.() ?? 0, shell: env })
}

async function main(): Promise<Result> {
  if (argv[0] === '--version') return { code: 0, output: version }
  try {
    const installed = installation()
    if (installed !== null) {
      process.chdir(env.MURIPO_RELEASE ?? '.')
      becomeService(installed)
    }
  } catch (error) {
    if (error instanceof Refused) return { code: 1, output: error.message }
    throw error
  }
  // Loaded by the process that needs it.
  const { runCommand } = await import('./run-command.ts')
  return await runCommand(argv, {
    account: operator,
    machine: hostname(),
    ...(env.MURIPO_RELEASE !== undefined && { program: 'muripo' }),
    env,
    input: process.stdin.isTTY ? null : () => text(process.stdin),
    warn: (line) => process.stderr.write(`${line}\n`),
  })
}

const { code, output, isReport = false } = await main()
process[code === 0 || isReport ? 'stdout' : 'stderr'].write(`${output}\n`)
process.exitCode = code
