import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Fault, startFaultProxy } from '@muripo/testing/fault-proxy'
import { describe, expect } from 'vitest'
import { createRefund } from '../../src/modules/payments/actions/request-refund.ts'
import { paymentsCtx } from '../../src/modules/payments/context.ts'
import {
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePayment,
  paymentNow,
} from '../../src/modules/payments/factory.ts'
import type { Payment } from '../../src/modules/payments/payment/payment.ts'
import { refundsOf } from '../../src/modules/payments/payment/store-refunds.ts'
import { configFor } from '../../src/modules/providers/ecocash/fixtures.ts'
import { ecocashConnector } from '../../src/modules/providers/ecocash/index.ts'
import { REQUEST_TIMEOUT_MS } from '../../src/modules/providers/http-transport.ts'
import { registryOf } from '../../src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../../src/platform/async/background-tasks.ts'
import { controlledTimeouts } from '../controlled-timeouts.ts'
import { test as base } from '../fixtures.ts'

const MINUTE = 60_000

interface Wallet {
  readonly port: number
  /** The number of requests for each key; the wallet has executed them. */
  readonly requests: Map<string, number>
  close(): Promise<void>
}

/** A wallet that executes every complete request at once. */
async function openWallet(): Promise<Wallet> {
  const requests = new Map<string, number>()
  const book = new Map<string, object>()
  const server = createServer(async (request, reply) => {
    try {
      let text = ''
      for await (const piece of request.setEncoding('utf8')) text += piece
      if (request.method === 'POST') {
        const { clientCorrelator: key, paymentAmount, currencyCode } = JSON.parse(text)
        requests.set(key, (requests.get(key) ?? 0) + 1)
        const done = { transactionOperationStatus: 'COMPLETED', ecocashReference: `MP.${key}` }
        book.set(key, { clientCorrelator: key, paymentAmount, currencyCode, ...done })
        reply.writeHead(200).end(JSON.stringify(book.get(key)))
        return
      }
      const found = book.get(request.url?.split('/').at(-1) ?? '')
      reply.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? { errorCode: 'E008' }))
    } catch {
      reply.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Faults of the connection during a charge, and whether the wallet still receives the charge. */
const stages: readonly (readonly [name: string, fault: Fault, isReceived: boolean])[] = [
  ['cut before a byte of the request', { cutAfter: { direction: 'up', bytes: 0 } }, false],
  ['cut within the head of the request', { cutAfter: { direction: 'up', bytes: 60 } }, false],
  ['cut within the body of the request', { cutAfter: { direction: 'up', bytes: 700 } }, false],
  ['cut before a byte of the answer', { cutAfter: { direction: 'down', bytes: 0 } }, true],
  ['cut within the head of the answer', { cutAfter: { direction: 'down', bytes: 40 } }, true],
  ['cut within the body of the answer', { cutAfter: { direction: 'down', bytes: 200 } }, true],
  ['that swallows the request', { swallow: 'up' }, false],
  ['that swallows the answer', { swallow: 'down' }, true],
  ['that swallows everything', { swallow: 'both' }, false],
]
const harmless: readonly (readonly [name: string, fault: Fault])[] = [
  ['half closed by whoever answers', { halfClose: true }],
  ['that is slow', { delayMs: 50 }],
  ['that brings each byte by itself', { sliceBytes: 1 }],
]

/** `scene.ctx` is a gateway with a faulty connection to its wallet. */
const test = base
  .extend('wallet', async ({ world: _before }, { onCleanup }) => {
    const wallet = await openWallet()
    onCleanup(() => wallet.close())
    return wallet
  })
  .extend('proxy', async ({ wallet }, { onCleanup }) => {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: wallet.port })
    onCleanup(() => proxy.close())
    return proxy
  })
  .extend('scene', ({ world, shop, proxy }) => {
    const url = `http://127.0.0.1:${proxy.port}/payment/v1`
    const connector = ecocashConnector(configFor(url))
    const ctx = paymentsCtx(world.ctx, registryOf([connector]), createBackgroundTasks(world.ctx.log))
    const timeouts = controlledTimeouts(REQUEST_TIMEOUT_MS)

    /** Waits for calls that break, or that time out once the connection has swallowed a part of them. */
    async function unanswered<T>(calls: Promise<T>): Promise<T> {
      let isOver = false
      const ended = calls.finally(() => {
        isOver = true
      })
      await expect.poll(() => isOver || proxy.swallowed > 0).toBe(true)
      timeouts.expire(REQUEST_TIMEOUT_MS)
      return ended
    }
    async function lookUp(payment: Payment) {
      const { status, refunded } = await paymentNow(ctx, shop.owner, payment.id)
      return { status, refunded: refunded.minor }
    }

    /** Advances the clock until a charge that no wallet has received fails. */
    async function letTimePass(): Promise<void> {
      for (const minutes of [1, 11, 6]) {
        world.ctx.clock.advance(minutes * MINUTE)
        await lookUpDue(ctx)
      }
    }
    return { ctx, unanswered, lookUp, letTimePass }
  })

describe('[invariant] a charge over a faulty connection', () => {
  test.for(stages)(
    '%s is unknown, is looked up, and is never sent again',
    async ([_name, fault, isReceived], { wallet, proxy, shop, scene }) => {
      const { ctx, unanswered, lookUp, letTimePass } = scene
      const payment = await makePayment(ctx, shop.owner)
      proxy.set(fault)
      const { id, status } = await unanswered(makeAttempt(ctx, payment))
      expect(status).toBe('unknown')
      expect(await lookUp(payment)).toMatchObject({ status: 'pending' })
      // The payer presses the button again while the outcome is unknown.
      await expect(makeAttempt(ctx, payment)).rejects.toMatchObject({ code: 'payment_not_payable' })
      proxy.set({})
      await letTimePass()
      expect(wallet.requests).toEqual(new Map(isReceived ? [[id.slice('att_'.length), 1]] : []))
      expect(await lookUp(payment)).toMatchObject({ status: isReceived ? 'completed' : 'pending' })
      expect((await latestAttempt(ctx, payment)).status).toBe(isReceived ? 'completed' : 'failed')
    },
  )

  test.for(harmless)('%s is paid', async ([_name, fault], { wallet, proxy, shop, scene: { ctx } }) => {
    const payment = await makePayment(ctx, shop.owner)
    proxy.set(fault)
    expect((await makeAttempt(ctx, payment)).status).toBe('completed')
    expect([...wallet.requests.values()]).toEqual([1])
  })

  test('whose look-ups fail, too, stays unknown until one succeeds', async ({
    world,
    wallet,
    proxy,
    shop,
    scene: { ctx, unanswered, lookUp, letTimePass },
  }) => {
    const payment = await makePayment(ctx, shop.owner)
    proxy.set({ cutAfter: { direction: 'down', bytes: 0 } })
    await makeAttempt(ctx, payment)
    for (const fault of [{ cutAfter: { direction: 'down', bytes: 0 } }, { swallow: 'both' }] as const) {
      proxy.set(fault)
      world.ctx.clock.advance(MINUTE)
      await unanswered(lookUpDue(ctx))
      expect((await latestAttempt(ctx, payment)).status).toBe('unknown')
    }
    proxy.set({})
    await letTimePass()
    expect(await lookUp(payment)).toMatchObject({ status: 'completed' })
    expect([...wallet.requests.values()]).toEqual([1])
  })
})

describe('[invariant] a refund over a faulty connection', () => {
  test.for(stages)(
    '%s keeps its reserve, is looked up, and is never sent again',
    async ([_name, fault, isReceived], { wallet, proxy, shop, scene }) => {
      const { ctx, unanswered, lookUp, letTimePass } = scene
      const payment = await makePayment(ctx, shop.owner)
      await makeAttempt(ctx, payment)
      wallet.requests.clear()
      proxy.set(fault)
      const request = { payment: payment.id, amount: 5 }
      const { json } = await unanswered(
        createRefund(ctx, shop.owner, request, { idempotencyKey: `refund-${payment.id}` }),
      )
      expect(JSON.parse(json).status).toBe('pending')
      expect((await paymentNow(ctx, shop.owner, payment.id)).refundPending.minor).toBe(500n)
      proxy.set({})
      await letTimePass()
      expect([...wallet.requests.values()]).toEqual(isReceived ? [1] : [])
      expect(await lookUp(payment)).toEqual({ status: 'completed', refunded: isReceived ? 500n : 0n })
      const refunds = await refundsOf(ctx.db.kysely, shop.merchantId, payment.id)
      // EcoCash may not list refunds: one that it does not find waits for an operator.
      expect(refunds.map(({ status }) => status)).toEqual([isReceived ? 'completed' : 'unknown'])
    },
  )
})
