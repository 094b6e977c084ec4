import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { inspectPdf } from './inspect.ts'

parentPort?.postMessage(inspectPdf(readFileSync(String(workerData))))
