import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import path from 'node:path'
import { port } from './socket-directory.ts'

const mib = 1024 * 1024

/** Settings of PostgreSQL by name. */
export type Settings = Readonly<Record<string, string | number>>

export const settingsFile = (clusterDir: string) => path.join(clusterDir, 'muripo.conf')

/** Settings of this start. ALTER SYSTEM overrides them. */
export function writeSettings(clusterDir: string, socketDir: string, more: Settings): void {
  const lines = Object.entries({ ...settings(socketDir), ...more }).map(
    ([name, value]) => `${name} = ${quoted(value)}\n`,
  )
  writeFileSync(settingsFile(clusterDir), lines.join(''), { mode: 0o600 })
  const main = path.join(clusterDir, 'postgresql.conf')
  const include = "include_if_exists = 'muripo.conf'\n"
  if (!readFileSync(main, 'utf8').includes(include)) appendFileSync(main, `\n${include}`)
}

const quoted = (value: string | number) => `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

function settings(socketDir: string): Settings {
  const memoryMb = Math.floor(totalmem() / mib)
  return {
    listen_addresses: '',
    port,
    // A list: quoted, because a comma separates directories.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: 100,
    shared_buffers: `${Math.max(32, Math.min(256, Math.floor(memoryMb / 8)))}MB`,
    effective_cache_size: `${Math.max(128, Math.floor(memoryMb / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    // An acknowledged payment is on the disk: these stay as they are.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_sync_retry: 'off',
    min_wal_size: '128MB',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    // Tables of a new installation grow from nothing; sessions plan their prepared statements again after each analyze.
    autovacuum_naptime: '5s',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_min_duration_statement: '1s',
    // Slow and refused statements are logged without their parameters: customers, payment links and provider replies.
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_lock_waits: 'on',
  }
}
