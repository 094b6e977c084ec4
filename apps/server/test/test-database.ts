import { inject } from 'vitest'
import { asAdmin, inDatabase } from './admin.ts'
import { createOnNodes, distribute, dropOnNodes } from './citus.ts'
import type {} from './global-setup.ts'

let count = 0
const made: string[] = []

/** A migrated, empty database for one test file. The setup file `drop-databases.ts` drops it after the file. */
export async function testDatabase(): Promise<{ url: string }> {
  count += 1
  const name = `muripo_test_${process.pid}_${inject('template').replace(/\D/g, '')}_${count}`
  made.push(name)
  if (process.env.CITUS_URL !== undefined) return { url: await distributedCopy(name) }
  await asAdmin(inject('adminUrl'), `create database ${name} template ${inject('template')}`)
  return { url: inDatabase(inject('adminUrl'), name) }
}

/** With `CITUS_URL` every test database is distributed over the nodes of Citus. */
async function distributedCopy(name: string): Promise<string> {
  const url = await createOnNodes(inject('adminUrl'), name, inject('template'))
  const refusals = await distribute(url)
  if (refusals.length > 0) throw new Error(refusals.join('\n'))
  return url
}

export async function dropTestDatabases(): Promise<void> {
  for (const name of made.splice(0)) {
    if (process.env.CITUS_URL !== undefined) await dropOnNodes(inject('adminUrl'), name)
    else await asAdmin(inject('adminUrl'), `drop database if exists ${name} with (force)`)
  }
}
