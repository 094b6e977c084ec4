import { hostname, userInfo } from 'node:os'
import { text } from 'node:stream/consumers'
import { runCommand } from './run-command.ts'

/** An account without a name, as in a container, is shown by its number. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

const {
  code,
  output,
  isReport = false,
} = await runCommand(process.argv.slice(2), {
  account: accountName(),
  machine: hostname(),
  env: process.env,
  input: process.stdin.isTTY ? null : () => text(process.stdin),
})
process[code === 0 || isReport ? 'stdout' : 'stderr'].write(`${output}\n`)
process.exitCode = code
