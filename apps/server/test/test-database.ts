import { inject } from 'vitest'
import { groupSettings } from '../src/platform/db/shard-groups.ts'
import { asAdmin, inDatabase } from './admin.ts'
import { copyOnNodes, createOnNodes, distribute, dropOnNodes } from './citus.ts'
import type {} from './global-setup.ts'
import { groupUrl, isOnCitus } from './on-citus.ts'

let count = 0
const made: string[] = []

interface TestDatabase {
  readonly url: string
  /** The address for sessions of its shard group; the same on one node. */
  readonly groupUrl: string
}

/**
 * A migrated, empty database for one test file. The setup file `drop-databases.ts` drops it after the file. With `CITUS_URL` it is
 * distributed, with one shard group on a worker.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const name = nextName()
  const distributed = inject('distributed')
  if (distributed === null) {
    // A copy of the files takes half the processor time of the other strategy, which writes each page to the log.
    await asAdmin(
      inject('adminUrl'),
      `create database ${name} template ${inject('template')} strategy file_copy`,
    )
    const url = inDatabase(inject('adminUrl'), name)
    return { url, groupUrl: url }
  }
  const { template, group } = distributed
  await copyOnNodes(inject('adminUrl'), name, template)
  return {
    url: inDatabase(inject('adminUrl'), name),
    groupUrl: groupUrl(inDatabase(group.url, name), groupSettings(group)),
  }
}

/** A database that is distributed with several shard groups on each worker. */
export async function testDatabaseInGroups(): Promise<string> {
  const url = await createOnNodes(inject('adminUrl'), nextName(), inject('template'))
  const refusals = await distribute(url)
  if (refusals.length > 0) throw new Error(refusals.join('\n'))
  return url
}

function nextName(): string {
  count += 1
  const name = `muripo_test_${process.pid}_${inject('template').replace(/\D/g, '')}_${count}`
  made.push(name)
  return name
}

export async function dropTestDatabases(): Promise<void> {
  for (const name of made.splice(0)) {
    if (isOnCitus) await dropOnNodes(inject('adminUrl'), name)
    else await asAdmin(inject('adminUrl'), `drop database if exists ${name} with (force)`)
  }
}
