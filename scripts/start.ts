import { Supervisor } from './lib/supervisor.ts'

await new Supervisor(process.env).start()
