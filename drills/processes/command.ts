import { defineDrill, refuse } from '../lib/define-drill.ts'
import { runDrill } from '../lib/report.ts'
import { runProcesses } from './run.ts'

/** Two are stopped and two killed; each role must still have a process afterwards. */
const LEAST_PROCESSES = 8

export const drill = defineDrill({
  describe:
    'ten processes on one database: some stop, freeze or are killed, and each piece of background work is done once',
  options: { count: 10, seconds: 10, customers: 8, seed: 1 },
  async run(options) {
    if (options.count < LEAST_PROCESSES) refuse(`--count is ${LEAST_PROCESSES} or more`)
    await runDrill('processes', (directory) => runProcesses(directory, options))
  },
})
