import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { callOk } from '@muripo/rig/call'
import { launch } from '@muripo/rig/gateway'
import { createApplication, createPayment, findPayment, signIn, signUp } from '@muripo/rig/merchant'
import { openTraceCollector } from '@muripo/testing/trace-collector'
import { expect, test } from '@playwright/test'
import { payFrom } from './lib/payers-page.ts'
import { clear, temporaryDataDir } from './lib/processes.ts'
import { newPhone, walletAt } from './lib/wallet.ts'
import { openWebhookReceiver } from './lib/webhook-receiver.ts'

let dataDir = ''

test.beforeEach(() => {
  dataDir = temporaryDataDir()
})

test.afterEach(async () => {
  expect(await clear(dataDir), 'processes that were left').toEqual([])
})

test('the life of a payment over an API process and a worker process is one trace', async () => {
  const collector = await openTraceCollector()
  const receiver = await openWebhookReceiver()
  const database = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const environment = {
      DATABASE_URL: database.servingUrl,
      MIGRATE_DATABASE_URL: database.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    }
    const api = await launch({
      dataDir,
      environment: { ...environment, ROLE: 'api', OTEL_SERVICE_NAME: 'api' },
    })
    await api.ready()
    const worker = await launch({
      dataDir,
      command: ['node', 'apps/server/src/main.ts'],
      environment: {
        ...environment,
        ROLE: 'worker',
        OTEL_SERVICE_NAME: 'worker',
        SIMULATOR_PORT: new URL(api.simulatorUrl).port,
      },
    })
    await worker.ready()

    const tokens = await signIn(api.url, await signUp(api.url))
    const { _id, applicationKey } = await createApplication(api.url, tokens)
    await callOk('POST', `${api.url}/v1/applications/${_id}/webhooks`, {
      bearer: tokens.authToken,
      body: { url: receiver.url, events: ['payment.completed'] },
    })
    const phone = newPhone()
    const wallet = walletAt(api.simulatorUrl)
    // The worker finds the outcome.
    await wallet.configureCharge(phone, { callback: 'lost' })
    const payment = await createPayment(api.url, applicationKey)
    await payFrom(phone, payment)
    await wallet.enterPin(phone)
    await expect
      .poll(async () => (await findPayment(api.url, applicationKey, payment.id)).status)
      .toBe('completed')
    await expect.poll(() => receiver.delivered.length).toBe(1)
    for (const each of [worker, api]) {
      each.process.kill('SIGTERM')
      expect(await each.ended).toBe(0)
    }

    const root = collector.spans.find(({ name }) => name === 'payment.create')
    const life = collector.spans.filter(({ traceId }) => traceId === root?.traceId)
    expect(new Set(life.map(({ service, name }) => `${service} ${name}`))).toEqual(
      new Set([
        'api payment.create',
        'api payment.change',
        'api provider.charge',
        'worker provider.lookup',
        'worker payment.change',
        'worker webhook.deliver',
      ]),
    )
    for (const span of life) expect(span.parentSpanId).toBe(span === root ? undefined : root?.spanId)
    const form = collector.spans.find(({ name }) => name === 'POST /pay/:token')
    const charge = life.find(({ name }) => name === 'provider.charge')
    expect(charge?.links).toEqual([form?.traceId])
    const sent = collector.bodies.join()
    for (const secret of [phone.slice(1), applicationKey, payment.payment_url.split('/').at(-1) ?? ''])
      expect(sent).not.toContain(secret)
  } finally {
    await database.stop()
    await receiver.close()
    await collector.close()
  }
})
