import { ofOneNode } from '../../scripts/lib/citus/sessions.ts'
import type { Run } from '../lib/gateway.ts'
import { startGenerator } from '../lib/generator.ts'
import { residentMb } from '../lib/meter.ts'
import { seedMerchants } from '../lib/seed.ts'

/** Resident memory of the gateway after this number of payments. */
export interface MemorySample {
  readonly payments: number
  readonly perSecond: number
  readonly residentMb: number
}

const CONNECTIONS = 128

/** Creates payments as fast as possible up to a number. The first sample is taken after one round to warm up. */
export async function measureMemory({ gateway, options, log }: Run): Promise<MemorySample[]> {
  const { created: payments, memoryRoundSeconds: seconds, merchants } = options
  const sql = await gateway.connect()
  const generator = startGenerator()
  try {
    const keys = await seedMerchants(gateway, ofOneNode(sql), merchants)
    const samples: MemorySample[] = []
    for (let created = 0; created < payments; ) {
      const round = { ports: gateway.ports, keys, isVaried: true, connections: CONNECTIONS, seconds }
      const { answered, perSecond } = await generator.run(round)
      created += answered
      samples.push({ payments: created, perSecond, residentMb: residentMb(gateway.pid) })
      log(`${created.toLocaleString('en')} of ${payments.toLocaleString('en')}`)
    }
    const { rows } = await sql.query<{ count: string }>('select count(*) from payments')
    const last = samples.at(-1)
    if (Number(rows[0]?.count) !== last?.payments)
      throw new Error(`${last?.payments} answers, but ${rows[0]?.count} payments`)
    return samples
  } finally {
    generator.stop()
    await sql.end()
  }
}
