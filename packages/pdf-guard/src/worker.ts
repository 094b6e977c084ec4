import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { inspectPdf } from './inspect.ts'

// On Linux each thread has its own priority; elsewhere the call would change the priority of the whole process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.postMessage(inspectPdf(readFileSync(String(workerData))))
