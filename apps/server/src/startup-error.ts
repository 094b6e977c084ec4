import { EmbeddedPostgresError } from '@muripo/embedded-postgres/error'
import { DataDirectoryError } from './check-start.ts'
import type { Config } from './platform/config.ts'
import { sqlState } from './platform/db/failures.ts'
import { certificateAdvice } from './platform/outbound/certificate-error.ts'

interface ListenError {
  readonly port?: number
  readonly address?: string
}

const isMetricsAddress = ({ port, address }: ListenError, config: Config): boolean =>
  port === config.metricsPort && (port !== config.port || address !== config.host)

/** One line for a failed start: the error and its remedy. */
export function startupError(error: unknown, config: Config): string {
  // Files and directories fail with the same codes.
  const isListen = (error as { syscall?: unknown } | null)?.syscall === 'listen'
  const isOfMetrics = isListen && isMetricsAddress(error as ListenError, config)
  const [prefix, port, host] = isOfMetrics
    ? ['METRICS_', config.metricsPort, config.metricsHost]
    : ['', config.port, config.host]
  switch (isListen ? sqlState(error) : null) {
    case 'EADDRINUSE':
      return `Port ${port} is taken: stop what uses it, or set ${prefix}PORT to another one`
    case 'EACCES':
      return `Port ${port} may not be used by this account: set ${prefix}PORT to one above 1023`
    case 'EADDRNOTAVAIL':
      return `${prefix}HOST ${host} is not an address of this machine`
    default:
      return databaseError(error) ?? `Muripo cannot start: ${messageOf(error)}`
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** One line for a database that cannot be used; null for any other error. */
export function databaseError(error: unknown): string | null {
  if (error instanceof EmbeddedPostgresError || error instanceof DataDirectoryError) return error.message
  const code = sqlState(error)
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
      return `The database of DATABASE_URL cannot be reached (${code}): check its host and port`
    case '28P01':
    case '28000':
      return `The database of DATABASE_URL refused the sign-in: check its user and password`
    case '3D000':
      return `The database of DATABASE_URL does not exist: create it, or name another one`
    case '25006':
      return `The database of DATABASE_URL is a standby: name its primary`
    case '42501':
      return `The account of DATABASE_URL may not change the tables: set MIGRATE_DATABASE_URL to the address of their owner`
    default: {
      const advice = certificateAdvice(error)
      return advice === null ? null : `The database of DATABASE_URL cannot be reached (${code}): ${advice}`
    }
  }
}
