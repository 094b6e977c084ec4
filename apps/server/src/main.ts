import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { checkStart } from './check-start.ts'
import type { Gateway } from './gateway.ts'
import { type GatewayConfig, parseGatewayConfig } from './gateway-config.ts'
import { NO_CONTACT } from './platform/config.ts'
import { checkServer } from './platform/db/server-check.ts'
import { checkSessions } from './platform/db/session-check.ts'
import { httpUrl, isLoopback } from './platform/http/network.ts'
import { prepareDatabase } from './platform/jobs/prepare-database.ts'
import { createLog, type Log } from './platform/log.ts'
import { ConfigError } from './platform/settings.ts'
import { version } from './platform/version.ts'
import { Shutdown } from './shutdown.ts'
import { startupError } from './startup-error.ts'
import { limitYoungGeneration } from './young-generation.ts'

/** Connections that the kernel accepts for this process, at most `net.core.somaxconn`; those beyond hang until their client gives up. */
const BACKLOG = 4096

/** The message goes to standard error only when no supervisor started this process that would print it. */
function giveUp(message: string): Promise<never> {
  return new Promise(() => {
    if (process.send) process.send({ type: 'fatal', message }, () => process.exit(1))
    else process.stderr.write(`${message}\n`, () => process.exit(1))
  })
}

/** Resolves when the supervisor has built the web app. Without a supervisor it is built already. */
function webReady(): Promise<void> {
  if (!process.send) return Promise.resolve()
  return new Promise((resolve) => {
    process.on('message', (message: { type?: string }) => {
      if (message.type === 'web-ready') resolve()
    })
  })
}

async function main(): Promise<void> {
  limitYoungGeneration()
  // The listener is added first: the message may arrive while the database is still starting.
  const web = webReady()
  const { migrateDatabaseUrl, ...rest } = parseGatewayConfig(process.env)
  // Only the start needs the address of the owner of the tables.
  const config: GatewayConfig = { ...rest, migrateDatabaseUrl: null }
  delete process.env.MIGRATE_DATABASE_URL
  const log = createLog(config.logLevel)
  log.info({ version, role: config.role }, 'the gateway starts')
  try {
    await checkStart(config)
  } catch (error) {
    return giveUp(startupError(error, config))
  }
  process.send?.({ type: 'checked' })
  const shutdown = new Shutdown(log, config.drainMs)
  if (config.databaseUrl === null) shutdown.embedded = startEmbedded(config, log, () => void shutdown.stop(1))
  // Most of the code is loaded while the database starts, which is the work of other processes. The start awaits it later.
  const code = import('./gateway.ts')
  code.catch(() => undefined)
  shutdown.onSignals()
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejected promise was not handled'))

  let gateway: Gateway
  try {
    const embedded = await shutdown.embedded
    const databaseUrl = embedded?.servingUrl ?? config.databaseUrl ?? ''
    await checkAndMigrate(databaseUrl, embedded?.url ?? migrateDatabaseUrl ?? databaseUrl, config, log)
    const { createGateway } = await code
    gateway = await createGateway(config, log, databaseUrl, async () => {
      await web
      return fileURLToPath(new URL('../../web/build', import.meta.url))
    })
    shutdown.gateway = gateway
    await listen(gateway, config)
  } catch (error) {
    if (shutdown.stopping) return shutdown.stopping
    await shutdown.stopDatabase().catch(() => undefined)
    return giveUp(startupError(error, config))
  }

  warnOfExposure(config, log)
  announce(gateway, config)
}

function startEmbedded({ dataDir, backupDir }: GatewayConfig, log: Log, onLost: () => void) {
  return startEmbeddedPostgres({
    dataDir,
    backupDir: backupDir ?? undefined,
    log: (line) => log.info(line),
    onLost(reason) {
      log.error({ reason }, 'the embedded database was lost')
      onLost()
    },
  })
}

async function checkAndMigrate(
  databaseUrl: string,
  ownerUrl: string,
  config: GatewayConfig,
  log: Log,
): Promise<void> {
  await checkSessions(databaseUrl)
  for (const line of await checkServer(databaseUrl, config.mode)) log.warn(line)
  await prepareDatabase(ownerUrl, databaseUrl, log)
}

async function listen({ app, metricsServer }: Gateway, config: GatewayConfig): Promise<void> {
  if (config.metricsPort !== null) await metricsServer?.listen(config.metricsPort, config.metricsHost)
  await app.listen({ host: config.host, port: config.port, backlog: BACKLOG })
}

function warnOfExposure(config: GatewayConfig, log: Log): void {
  if (config.mode === 'development' && !isLoopback(config.host)) {
    process.stderr.write(
      `Warning: listening on ${config.host} in development mode, with limits a hundred times higher and cookies that need no TLS.\n`,
    )
  }
  if (config.mode === 'production' && config.contactEmail === null) log.warn(NO_CONTACT)
  if (config.mode === 'production' && isLoopback(config.host) && config.trustedProxies === 0) {
    log.warn(
      'TRUSTED_PROXIES is not set, and only a proxy on this machine reaches this gateway: all callers share the limits of one address',
    )
  }
}

/** Reports to the supervisor that this process serves. */
function announce({ app }: Gateway, config: GatewayConfig): void {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  process.send?.({
    type: 'ready',
    drainMs: config.drainMs,
    url: httpUrl(config.host, port),
  })
}

if (process.argv.includes('--version')) {
  process.stdout.write(`${version}\n`)
  process.exit()
}
await main().catch((error: unknown) => {
  if (error instanceof ConfigError) return giveUp(`Muripo cannot start: ${error.message}`)
  return giveUp(error instanceof Error ? error.message : String(error))
})
