import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { promisify } from 'node:util'
import { PaymentId } from '@muripo/contract/ids'
import { type CollectedSpan, openTraceCollector } from '@muripo/testing/trace-collector'
import { describe, expect, onTestFinished } from 'vitest'
import { makeAttempt, paid, paymentNow, pending } from '../src/modules/payments/factory.ts'
import { makeEndpoint, makeReceiver, makeRelay } from '../src/modules/webhooks/factory.ts'
import { parseConfig } from '../src/platform/config.ts'
import { systemIds } from '../src/platform/ids.ts'
import { createLog } from '../src/platform/log.ts'
import { startTracing } from '../src/platform/tracing/otlp.ts'
import { makeApp } from './app.ts'
import { controlledTimeouts } from './controlled-timeouts.ts'
import { test } from './fixtures.ts'
import type { Shop, World } from './world.ts'

const run = promisify(execFile)
const phone = '0771234567'
const caller = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${caller}-00f067aa0ba902b7-01`
const CLIENT = 3

const tracingTo = (url: string, log = createLog('silent'), env: Record<string, string> = {}) => {
  const { tracing } = parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env })
  if (tracing === null) throw new Error('a collector is named')
  return startTracing(tracing, log)
}

test('a process without a collector loads no SDK', async () => {
  const program = `
    await import('./src/gateway.ts')
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    console.log(JSON.stringify([loaded.length > 0, loaded.filter((file) => /@opentelemetry.(?!api)/.test(file))]))
    process.exit()`
  const cwd = new URL('..', import.meta.url)
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd })
  expect(JSON.parse(stdout)).toEqual([true, []])
})

/** Creates a payment, pays it by a callback and delivers its event. The collector then has all spans. */
async function payWithTracing(world: World, shop: Shop) {
  const collector = await openTraceCollector()
  onTestFinished(() => collector.close())
  const tracing = tracingTo(collector.url)
  const ctx = { ...world.ctx, tracing }
  const app = await makeApp(ctx)
  const receiver = await makeReceiver()
  await makeEndpoint(ctx, shop, `${receiver.url}?token=canary-of-the-endpoint`)
  const relay = makeRelay(ctx)
  onTestFinished(async () => {
    await relay.stop()
    await receiver.close()
    await app.close()
  })

  const created = await app.inject({
    method: 'POST',
    url: '/api/v1/payments',
    headers: { authorization: `Bearer ${shop.applicationKey}`, traceparent, 'x-request-id': phone },
    payload: {
      amount: 12.5,
      currency: 'USD',
      description: 'canary-description',
      customer: { name: 'Canary Moyo', email: 'canary@example.co.zw', phone },
      metadata: { order: 'canary-metadata' },
    },
  })
  expect(created.statusCode).toBe(201)
  const payment = await paymentNow(ctx, shop.owner, created.json().id)
  world.provider.charge = async () => pending()
  const attempt = await makeAttempt(ctx, payment, phone)
  world.provider.lookup = async () => paid(payment.amount, 'canary-reference')
  const token = ctx.attemptLinks.tokenOf(payment.accountId, attempt.id)
  const callback = await app.inject({ method: 'POST', url: `/callbacks/scripted/${token}`, payload: {} })
  expect(callback.statusCode).toBe(200)
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
  await ctx.backgroundTasks.drain()
  await relay.stop()
  await tracing.stop()
  return { collector, payment, attempt, token }
}

function expectSpansOfLife(life: readonly CollectedSpan[], paymentId: string, attemptId: string): void {
  const [root] = life
  expect(
    life.map(({ name, attributes }) => [
      name,
      attributes['muripo.attempt.status'] ?? attributes['muripo.outcome'],
    ]),
  ).toEqual([
    ['payment.create', undefined],
    ['payment.change', 'sending'],
    ['provider.charge', 'pending'],
    ['payment.change', 'pending'],
    ['provider.lookup', 'completed'],
    ['payment.change', 'completed'],
    ['webhook.deliver', undefined],
  ])
  expect(root?.parentSpanId).toBeUndefined()
  for (const span of life) {
    expect(span.service).toBe('muripo')
    expect(span.attributes['muripo.payment.id']).toBe(paymentId)
    if (span !== root) expect(span.parentSpanId).toBe(root?.spanId)
  }
  expect(spansNamed(life, 'provider.charge')[0]).toMatchObject({
    kind: CLIENT,
    attributes: { 'muripo.provider': 'scripted', 'muripo.call.id': attemptId },
  })
  expect(spansNamed(life, 'payment.change').at(-1)?.attributes).toMatchObject({
    'muripo.payment.status': 'completed',
    'muripo.event.type': 'payment.completed',
  })
  expect(spansNamed(life, 'webhook.deliver')[0]).toMatchObject({
    kind: CLIENT,
    attributes: {
      'muripo.verdict': 'succeeded',
      'http.response.status_code': 204,
      'muripo.delivery.attempt': 1,
    },
  })
}

describe('a payment', () => {
  test('is one trace from its create to its webhook, without what people entered', async ({
    world,
    shop,
  }) => {
    const { collector, payment, attempt, token } = await payWithTracing(world, shop)
    const [root] = spansNamed(collector.spans, 'payment.create')
    const computed = await run('sh', ['-c', `printf %s ${payment.id} | sha256sum | cut -c 1-32`])
    expect(root?.traceId).toBe(computed.stdout.trim())
    const life = collector.spans.filter(({ traceId }) => traceId === root?.traceId)
    expectSpansOfLife(life, payment.id, attempt.id)

    // The requests are in the traces of their callers; links join them with the payment's.
    const [request] = spansNamed(collector.spans, 'POST /api/v1/payments')
    expect(request).toMatchObject({
      traceId: caller,
      links: [root?.traceId],
      attributes: { 'http.route': '/api/v1/payments', 'http.response.status_code': 201 },
    })
    expect(root?.links).toEqual([caller])
    const [called] = spansNamed(collector.spans, 'POST /callbacks/:provider/:token')
    expect(spansNamed(life, 'provider.lookup')[0]?.links).toEqual([called?.traceId])

    const sent = collector.bodies.join()
    for (const secret of ['canary', 'Canary', '771234567', shop.applicationKey, token, '12.5'])
      expect(sent).not.toContain(secret)
  })

  test('that could not be created has no span', async ({ world, shop }) => {
    const collector = await openTraceCollector()
    onTestFinished(() => collector.close())
    const tracing = tracingTo(collector.url)
    const app = await makeApp({ ...world.ctx, tracing })
    onTestFinished(() => app.close())
    const headers = { authorization: `Bearer ${shop.applicationKey}` }
    await app.inject({ method: 'POST', url: '/api/v1/payments', headers, payload: { amount: 1 } })
    await app.inject('/healthz')
    await tracing.stop()
    expect(collector.spans.map(({ name }) => name)).toEqual(['POST /api/v1/payments'])
  })

  test.for([
    ['traceidratio', '0', []],
    ['always_off', '1', []],
    ['parentbased_traceidratio', '1', ['payment.create', 'payment.change']],
  ] as const)('is sampled as a whole: %s %s', async ([sampler, ratio, names]) => {
    const collector = await openTraceCollector()
    onTestFinished(() => collector.close())
    const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }
    const tracing = tracingTo(collector.url, undefined, env)
    const id = systemIds.next(PaymentId)
    tracing.payment(id, 'payment.create').end()
    tracing.payment(id, 'payment.change').end()
    await tracing.stop()
    expect(collector.spans.map(({ name }) => name)).toEqual(names)
  })
})

describe('a collector that is away', () => {
  test('costs no payment, and delays a stop by three seconds at most', async ({ world, shop }) => {
    // Accepts connections and never answers.
    const tracing = tracingTo(await addressOf(createServer()))
    const app = await makeApp({ ...world.ctx, tracing })
    onTestFinished(() => app.close())
    for (let n = 0; n < 20; n += 1) {
      const headers = { authorization: `Bearer ${shop.applicationKey}` }
      const payload = { amount: 5, currency: 'USD', description: 'Order' }
      const { statusCode } = await app.inject({ method: 'POST', url: '/api/v1/payments', headers, payload })
      expect(statusCode).toBe(201)
    }
    const timeouts = controlledTimeouts(3000)
    const stopped = tracing.stop()
    timeouts.expire(3000)
    await stopped
  })

  test('is reported once for many spans', async () => {
    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line).msg) })
    const refusing = createHttpServer((_request, response) => response.writeHead(400).end())
    const tracing = tracingTo(await addressOf(refusing), log)
    for (let n = 0; n < 5000; n += 1) tracing.payment(systemIds.next(PaymentId), 'payment.change').end()
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    await tracing.stop()
    expect(lines).toEqual(['spans could not be sent to the collector'])
  })
})

async function addressOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const spansNamed = (spans: readonly CollectedSpan[], name: string) =>
  spans.filter((span) => span.name === name)
