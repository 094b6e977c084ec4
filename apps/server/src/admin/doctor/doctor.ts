import { type GatewayConfig, parseGatewayConfig } from '../../gateway-config.ts'
import { systemClock } from '../../platform/clock.ts'
import { ConfigError, type Environment } from '../../platform/settings.ts'
import { databaseError, messageOf } from '../../startup-error.ts'
import { runningDatabaseUrl } from '../context.ts'
import { oneLine } from '../print.ts'
import { checkBackups } from './check-backups.ts'
import { checkCertificate } from './check-certificate.ts'
import { checkClock, checkMigrations, checkSettings } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkLogArchive } from './check-log-archive.ts'
import { checkMail } from './check-mail.ts'
import { checkMasterKeys } from './check-master-keys.ts'
import { checkOperators } from './check-operators.ts'
import { checkProviders } from './check-providers.ts'
import { bounded, type Finding, failure, ok, type State } from './finding.ts'

/** Examines the deployment of an environment. Nothing is changed, and no check depends on a failed one. */
export async function examine(env: Environment): Promise<readonly Finding[]> {
  const config = configOf(env)
  // The other checks need the settings.
  if (Array.isArray(config)) return config
  const now = systemClock.now()
  const { mode, keyMode, publicUrl } = config
  const checks = [
    [ok('configuration', `${mode}, ${keyMode} mode, ${publicUrl}`)],
    databaseFindings(config),
    bounded('mail', async () => [await checkMail(config)]),
    bounded('disk', async () => [await checkDisk(config)]),
    bounded('backup', async () => [await checkBackups(config, env, now)]),
    bounded('certificate', async () => [await checkCertificate(config, now)]),
  ]
  return (await Promise.all(checks)).flat()
}

function configOf(env: Environment): GatewayConfig | Finding[] {
  try {
    return parseGatewayConfig(env)
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map((problem) => failure('configuration', problem))
    throw error
  }
}

/** Clock and providers read tables, so they need a migrated database. */
async function databaseFindings(config: GatewayConfig): Promise<readonly Finding[]> {
  try {
    const url = runningDatabaseUrl(config)
    const settings = await bounded('database', () => checkSettings(url, config))
    const migrations = await checkMigrations(url)
    if (migrations.state !== 'ok') return [...settings, migrations]
    const rest = await Promise.all([
      bounded('archive', () => checkLogArchive(url, config)),
      bounded('clock', async () => [await checkClock(url)]),
      bounded('master key', async () => [await checkMasterKeys(config)]),
      bounded('operators', async () => [await checkOperators(config)]),
      bounded('providers', () => checkProviders(config)),
    ])
    return [...settings, migrations, ...rest.flat()]
  } catch (error) {
    return [failure('database', databaseError(error) ?? messageOf(error))]
  }
}

const severities: readonly State[] = ['ok', 'warning', 'error']

/** 0 ok, 1 with a warning, 2 with an error. */
export const codeOf = (findings: readonly Finding[]): 0 | 1 | 2 =>
  Math.max(0, ...findings.map(({ state }) => severities.indexOf(state))) as 0 | 1 | 2

export function linesOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings
    .map(({ check, state, text }) => `${state.padEnd(7)}  ${check.padEnd(width)}  ${oneLine(text)}`)
    .join('\n')
}
