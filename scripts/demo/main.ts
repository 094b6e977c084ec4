import path from 'node:path'
import { repository } from '../lib/repository.ts'
import { Supervisor } from '../lib/supervisor.ts'

if (process.env.NODE_ENV === 'production') {
  console.error('The demo fills a gateway with made-up payments: it does not run with NODE_ENV=production.')
  process.exit(1)
}

const environment = { ...process.env, MURIPO_DATA: process.env.MURIPO_DATA?.trim() || 'data-demo' }
const preparation = { name: 'sample data', file: path.join(repository, 'scripts/demo/seed.ts') }
await new Supervisor(environment, preparation).start()
