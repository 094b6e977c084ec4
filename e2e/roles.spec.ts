import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { type GatewayProcess, launch } from '@muripo/rig/gateway'
import { freePort } from '@muripo/rig/listen'
import { createApplication, createPayment, findPayment, signIn, signUp } from '@muripo/rig/merchant'
import { expect, test } from '@playwright/test'
import { payFrom } from './lib/payers-page.ts'
import { clear, temporaryDataDir } from './lib/processes.ts'
import { newPhone, walletAt } from './lib/wallet.ts'

let dataDir = ''

test.beforeEach(() => {
  dataDir = temporaryDataDir()
})

test.afterEach(async () => {
  expect(await clear(dataDir), 'processes that were left').toEqual([])
})

/** Enough for a few calls on a slow machine. */
const DRAIN_SECONDS = 6

const main = ['node', 'apps/server/src/main.ts'] as const

const statusAt = async (url: string, path: string) => (await fetch(url + path)).status

const metricsAddress = async () => ({ METRICS_PORT: String(await freePort()) })

async function workerAt({ url }: GatewayProcess): Promise<string | undefined> {
  const { components } = (await (await fetch(`${url}/v1/status`)).json()) as {
    components: { id: string; status: string }[]
  }
  return components.find(({ id }) => id === 'worker')?.status
}

test('a payment that was created at an API process completes through a worker process', async () => {
  const database = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const environment = { DATABASE_URL: database.servingUrl, MIGRATE_DATABASE_URL: database.url }
    const api = await launch({
      dataDir,
      environment: { ...environment, ...(await metricsAddress()), ROLE: 'api' },
    })
    await api.ready()
    const launchWorker = async () =>
      launch({
        dataDir,
        command: main,
        environment: {
          ...environment,
          ...(await metricsAddress()),
          ROLE: 'worker',
          SIMULATOR_PORT: new URL(api.simulatorUrl).port,
        },
      })
    expect(await workerAt(api)).toBe('down')
    const firstWorker = await launchWorker()
    await firstWorker.ready()
    await expect.poll(() => workerAt(api)).toBe('operational')
    expect(await statusAt(firstWorker.url, '/healthz')).toBe(200)
    for (const path of ['/', '/v1/config', '/api/v1/payments'])
      expect(await statusAt(firstWorker.url, path)).toBe(404)

    // The worker sends the code.
    const tokens = await signIn(api.url, await signUp(api.url))
    const { applicationKey } = await createApplication(api.url, tokens)

    expect(await firstWorker.stop()).toBe(0)
    const phone = newPhone()
    const wallet = walletAt(api.simulatorUrl)
    await wallet.configureCharge(phone, { callback: 'lost' })
    const payment = await createPayment(api.url, applicationKey)
    await payFrom(phone, payment)
    await wallet.enterPin(phone)
    // Longer than all pauses between the look-ups of a new charge.
    await sleep(3000)
    const now = async () => (await findPayment(api.url, applicationKey, payment.id)).status
    expect(await now()).toBe('pending')
    expect(await workerAt(api)).toBe('down')

    const secondWorker = await launchWorker()
    await secondWorker.ready()
    await expect.poll(now).toBe('completed')
    const create = 'muripo_http_requests_total{method="POST",route="/api/v1/payments",status="201"} 1'
    expect(await api.metrics()).toContain(create)
    expect(await secondWorker.metrics()).toContain(
      'muripo_payments_total{outcome="completed",provider="ecocash"} 1',
    )
    expect(await secondWorker.stop()).toBe(0)
    expect(await api.stop()).toBe(0)
  } finally {
    await database.stop()
  }
})

test('a single role requires a database that other processes can reach', async () => {
  const gateway = await launch({ dataDir, command: main, environment: { ROLE: 'worker' } })
  expect(await gateway.ended).toBe(1)
  expect(gateway.output.stderr).toContain('ROLE=worker demands DATABASE_URL')
})

test('a process that receives a signal is not ready, serves for DRAIN_SECONDS, and stops', async () => {
  const gateway = await launch({ dataDir, environment: { DRAIN_SECONDS: String(DRAIN_SECONDS) } })
  await gateway.ready()
  // The supervisor forwards signals after the gateway is ready.
  await expect.poll(() => gateway.output.stdout).toContain('Ctrl-C')
  const since = performance.now()
  const ended = gateway.stop()
  await expect.poll(() => statusAt(gateway.url, '/readyz')).toBe(503)
  for (const path of ['/healthz', '/v1/config']) expect(await statusAt(gateway.url, path)).toBe(200)
  expect(await ended).toBe(0)
  expect(performance.now() - since).toBeGreaterThan(DRAIN_SECONDS * 1000)
})

test('a second signal ends the drain', async () => {
  const gateway = await launch({ dataDir, command: main, environment: { DRAIN_SECONDS: '300' } })
  await gateway.ready()
  gateway.process.kill('SIGTERM')
  await expect.poll(() => statusAt(gateway.url, '/readyz')).toBe(503)
  gateway.process.kill('SIGTERM')
  await once(gateway.process, 'exit')
  expect(await gateway.ended).toBe(0)
})
