import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { buildSimulator, type Simulator } from './app.ts'
import { parseConfig } from './config.ts'

export const authorization = `Basic ${Buffer.from('muripo:simulator').toString('base64')}`
export const wire = '/ecocash/payment/v1'
const folders: string[] = []
const running: Simulator[] = []

export function begin(env: Record<string, string> = {}, folder?: string): Simulator & { folder: string } {
  // Files of a worker share this module, so that only the first would have a hook of it.
  onTestFinished(finish)
  const data = folder ?? mkdtempSync(join(tmpdir(), 'simulator-'))
  folders.push(data)
  const simulator = buildSimulator(parseConfig({ MURIPO_DATA: data, SIMULATOR_SPEED: '1', ...env }), Date.now)
  simulator.start()
  running.push(simulator)
  return { ...simulator, folder: data }
}

async function finish(): Promise<void> {
  for (const { app } of running.splice(0)) await app.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export const body = (change: Record<string, unknown> = {}, amount: unknown = 12.5, currency = 'USD') => ({
  clientCorrelator: 'key1',
  referenceCode: 'key1',
  tranType: 'MER',
  endUserId: '263771000001',
  remarks: 'Order 1',
  transactionOperationStatus: 'Charged',
  paymentAmount: {
    charginginformation: { amount, currency, description: 'Order 1' },
    chargeMetaData: { channel: 'WEB', purchaseCategoryCode: 'Online Payment', onBeHalfOf: 'Shop' },
  },
  merchantCode: '00001',
  merchantPin: '0000',
  merchantNumber: '771000000',
  merchantName: 'Shop & <Sons>',
  ...change,
})

export const post = ({ app }: Simulator, url: string, payload: object, headers: object = { authorization }) =>
  app.inject({ method: 'POST', url, payload, headers: headers as Record<string, string> })
export const charge = (simulator: Simulator, payload: object = body()) =>
  post(simulator, `${wire}/transactions/amount`, payload)
export const query = ({ app }: Simulator, key = 'key1', number = '263771000001') =>
  app.inject({ url: `${wire}/${number}/transactions/amount/${key}`, headers: { authorization } })
export const next = (simulator: Simulator, order: object) => post(simulator, '/control/next', order)
export const answer = (simulator: Simulator, payload: object, key = 'key1') =>
  post(simulator, `/phone/prompts/${key}`, payload)
