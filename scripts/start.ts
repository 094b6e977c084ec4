import { version } from '../apps/server/src/platform/version.ts'
import { Supervisor } from './lib/supervisor.ts'

if (process.argv.includes('--version')) process.stdout.write(`${version}\n`)
else await new Supervisor(process.env).start()
