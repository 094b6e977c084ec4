import { inject } from 'vitest'
import { asAdmin, inDatabase } from './admin.ts'
import type {} from './global-setup.ts'

let count = 0
const made: string[] = []

/** A migrated, empty database for one test file. The setup file `drop-databases.ts` drops it after the file. */
export async function testDatabase(): Promise<{ url: string }> {
  count += 1
  const name = `muripo_test_${process.pid}_${inject('template').replace(/\D/g, '')}_${count}`
  made.push(name)
  await asAdmin(inject('adminUrl'), `create database ${name} template ${inject('template')}`)
  return { url: inDatabase(inject('adminUrl'), name) }
}

export async function dropTestDatabases(): Promise<void> {
  for (const name of made.splice(0)) {
    await asAdmin(inject('adminUrl'), `drop database if exists ${name} with (force)`)
  }
}
