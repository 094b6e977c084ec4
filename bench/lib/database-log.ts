import { readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Gateway } from './gateway.ts'

/** The time in which the sessions of PostgreSQL read changed settings, and in which the last lines reach the log. */
const LOG_DELAY_MS = 300

/**
 * The log of PostgreSQL during some work.
 * @param settings of the log, which are reset afterwards
 */
export async function recordLog<Result>(
  { databaseLog }: Gateway,
  sql: pg.Client,
  settings: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<{ readonly log: string; readonly result: Result }> {
  if (databaseLog === null) throw new Error('the log of the database cannot be read')
  for (const [name, value] of Object.entries(settings))
    await sql.query(`alter system set ${name} = '${value}'`)
  await sql.query('select pg_reload_conf()')
  await sleep(LOG_DELAY_MS)
  const from = statSync(databaseLog).size
  const result = await work()
  await sleep(LOG_DELAY_MS)
  for (const name of Object.keys(settings)) await sql.query(`alter system reset ${name}`)
  await sql.query('select pg_reload_conf()')
  return { log: readFileSync(databaseLog).subarray(from).toString('utf8'), result }
}
