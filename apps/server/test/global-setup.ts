import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { createDatabase } from '../src/platform/db/database.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import type { ShardGroup } from '../src/platform/db/shard-groups.ts'
import { asAdmin, inDatabase } from './admin.ts'
import { createTemplateOnNodes, dropOnNodes } from './citus.ts'
import { isOnCitus } from './on-citus.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Any database of the server under test, with a role that may create others. */
    readonly adminUrl: string
    readonly template: string
    /** The template of databases on Citus, with its one shard group; null on one node. */
    readonly distributed: { readonly template: string; readonly group: ShardGroup } | null
  }
}

/** Starts one server for the whole run, with a migrated database that is the template of every test database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.CITUS_URL ?? process.env.DATABASE_URL
  const cluster = given ? { url: given, stop: async () => {} } : await startCluster()
  const template = `muripo_test_${process.pid}_template`
  let distributed: ProvidedContext['distributed'] = null
  try {
    await asAdmin(cluster.url, `create database ${template}`)
    await migrateAll(inDatabase(cluster.url, template))
    if (isOnCitus) {
      const name = `${template}_distributed`
      distributed = { template: name, group: await createTemplateOnNodes(cluster.url, name, template) }
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
  project.provide('adminUrl', cluster.url)
  project.provide('template', template)
  project.provide('distributed', distributed)
  return async () => {
    if (distributed) await dropOnNodes(cluster.url, distributed.template)
    if (given) await asAdmin(given, `drop database if exists ${template} with (force)`)
    await cluster.stop()
  }
}

async function migrateAll(url: string): Promise<void> {
  await migrate(url, { log: () => {} })
  const db = createDatabase(url, { maxConnections: 1 })
  try {
    // The first master key that a process has on a copy becomes its root secret too, as `keysOf` expects.
    await db.kysely.insertInto('root_secret').values({ encrypted: null }).execute()
  } finally {
    await db.close()
  }
}

async function startCluster(): Promise<{ url: string; stop(): Promise<void> }> {
  const file = fileURLToPath(new URL('cluster-process.ts', import.meta.url))
  const child = fork(file, { detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
    { url?: string; error?: string } | number | null,
  ]
  if (typeof message !== 'object' || !message?.url) {
    throw new Error(`The test database did not start: ${JSON.stringify(message)}`)
  }
  return { url: message.url, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}
