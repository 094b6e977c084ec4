import { prepareDatabase } from '../../../apps/server/src/platform/jobs/prepare-database.ts'
import { createLog } from '../../../apps/server/src/platform/log.ts'
import { asAdmin, inDatabase } from '../../../apps/server/test/admin.ts'
import { createOnNodes, distribute, dropOnNodes } from '../../../apps/server/test/citus.ts'

/** Migrated and distributed databases of a tool on the nodes of Citus. */
export interface DistributedDatabases {
  /** @returns the address of the database on the coordinator, and the statements that Citus refused */
  create(
    name: string,
    shards?: number,
  ): Promise<{ readonly url: string; readonly refusals: readonly string[] }>
  /** Drops the created databases, and others of the nodes by name. */
  drop(...others: readonly string[]): Promise<void>
}

/** @param address of a database on the coordinator, as a superuser */
export async function openDistributedDatabases(
  address: string,
  prefix: string,
): Promise<DistributedDatabases> {
  const template = `${prefix}_template_${process.pid}`
  const made: string[] = []
  const drop = async (...others: readonly string[]) => {
    for (const name of [...made, ...others]) await dropOnNodes(address, name)
    await asAdmin(address, `drop database if exists ${template} with (force)`)
  }
  try {
    await asAdmin(address, `create database ${template}`)
    const whole = inDatabase(address, template)
    await prepareDatabase(whole, whole, createLog('silent'))
  } catch (error) {
    await drop()
    throw error
  }
  return {
    async create(name, shards) {
      made.push(name)
      const url = await createOnNodes(address, name, template)
      return { url, refusals: await distribute(url, shards) }
    },
    drop,
  }
}
