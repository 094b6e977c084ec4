import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { runCommand } from '../src/admin/run-command.ts'
import { developmentMasterKey } from '../src/platform/crypto/keys.ts'

import { gatewayUrl } from './on-citus.ts'

/** The operator's terminal on a gateway's machine, with its secrets. */
export function makeTerminal(databaseUrl: string) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-admin-'))
  developmentMasterKey(dataDir)
  const env = { DATABASE_URL: gatewayUrl(databaseUrl), MURIPO_DATA: dataDir }
  const warnings: string[] = []
  const warn = (line: string) => void warnings.push(line)
  const terminal = { account: 'till', machine: 'counter', warn }
  const adminIn =
    (change: Readonly<Record<string, string>>, input?: string) =>
    (...args: readonly string[]) =>
      runCommand(args, {
        ...terminal,
        env: { ...env, ...change },
        input: input === undefined ? null : async () => input,
      })
  return {
    dataDir,
    env,
    warnings,
    adminIn,
    admin: adminIn({}),
    remove: () => rmSync(dataDir, { recursive: true }),
  }
}

/** A terminal until the last test of the file has run. */
export function terminalOf(databaseUrl: string) {
  const terminal = makeTerminal(databaseUrl)
  afterAll(() => terminal.remove())
  return terminal
}
