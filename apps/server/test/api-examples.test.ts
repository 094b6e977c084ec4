import { fileURLToPath } from 'node:url'
import { documentedEvents } from '@muripo/contract/events'
import { PaymentId } from '@muripo/contract/ids'
import { type Money, money } from '@muripo/contract/money'
import { type PublicCallName, publicCalls } from '@muripo/contract/public-calls'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenAPIV3_1 } from 'openapi-types'
import { expect } from 'vitest'
import {
  authorising,
  lookUpDue,
  makeAttempt,
  paid,
  paymentNow,
  refused,
} from '../src/modules/payments/factory.ts'
import { recordReturn, reportReversal, resolveReview } from '../src/modules/payments/index.ts'
import { systemActor } from '../src/platform/audit/actor.ts'
import { examplesFile, type RecordedExamples } from '../src/platform/http/openapi-document.ts'
import { test as base } from './fixtures.ts'

const operator = systemActor('test')
const usd = (minor: bigint): Money => money(minor, 'USD')

interface Recorded {
  request?: unknown
  response?: unknown
}

/** Makes the calls of the document on the running gateway; `record` keeps the request and the response of the named call. */
const test = base.extend('shopping', ({ app, client }) => {
  const calls: Record<string, Recorded> = {}
  let headers = client.withKey
  /** Replaces the key, as a user of the dashboard does. */
  const regenerateKey = async () => {
    const url = `/v1/applications/${client.applicationId}/regenerate-key`
    const answer = await app.inject({ method: 'PATCH', url, headers: client.withSession })
    headers = { authorization: `Bearer ${answer.json().newApplicationKey}` }
  }
  const send = async (name: PublicCallName, id = '', body?: object, query = '') => {
    const { method, path, reply } = publicCalls[name].spec
    const url = `/api/v1${path.replace(/:\w+/, id)}${query}`
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
    expect(Object.keys(reply), `${name}: ${answer.body}`).toContain(String(answer.statusCode))
    return answer.body === '' ? undefined : answer.json()
  }
  const record = async (name: PublicCallName, id?: string, body?: object, query?: string) => {
    const response = await send(name, id, body, query)
    calls[name] = { ...(body && { request: body }), ...(response && { response }) }
    return response
  }
  return { calls, send, record, regenerateKey }
})

const order = {
  amount: 25,
  currency: 'USD',
  description: 'Order 1001',
  reference: 'order-1001',
  customer: { email: 'tariro@example.com', name: 'Tariro Moyo' },
  success_url: 'https://shop.example.com/thanks',
  cancel_url: 'https://shop.example.com/basket',
  metadata: { basket: '7' },
}

/** Ids, tokens, secrets and addresses of the same form, numbered in the order in which they appear: the records do not change by chance. */
function illustrative(recorded: object, origin: string): RecordedExamples {
  const replacements = new Map<string, string>()
  const numbered = (text: string, make: (number: string) => string): string => {
    const replacement = replacements.get(text) ?? make(String(replacements.size + 1).padStart(2, '0'))
    replacements.set(text, replacement)
    return replacement
  }
  return JSON.parse(
    JSON.stringify(recorded)
      .replaceAll(origin, 'https://pay.example.com')
      .replace(/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (id, prefix) =>
        numbered(id, (number) => `${prefix}_01kagvt1s2fxrb2tkyqj6kz0${number}`),
      )
      .replace(/(?<=\/pay\/)[\w-]+/g, (token) =>
        numbered(token, (number) => `pAyM3ntT0k3nIllustrative${number}`),
      )
      .replace(/whsec_[\w+/=]+/g, (secret) =>
        numbered(secret, (n) => `whsec_${Buffer.from(`an illustrative secret ${n}`).toString('base64')}`),
      ),
  )
}

test('the examples of the document are requests and responses of a running gateway', async ({
  world,
  app,
  client,
  provider,
  shopping: { calls, send, record, regenerateKey },
}) => {
  const { ctx } = world
  const { owner } = client
  const pay = async (id: string) => {
    provider.charge = async ({ amount }) => paid(amount)
    await makeAttempt(ctx, await paymentNow(ctx, owner, id))
  }

  const endpoint = {
    url: 'https://shop.example.com/muripo/events',
    events: ['payment.completed', 'payment.refunded'],
  }
  const { id: webhook } = await record('createWebhook', '', endpoint)
  await record('getWebhook', webhook)
  await record('listWebhooks', '', undefined, '?limit=1')
  await record('updateWebhook', webhook, {
    events: ['payment.completed', 'payment.failed', 'payment.refunded'],
  })
  await record('rotateWebhookSecret', webhook)

  const { id: payment } = await record('createPayment', '', order)
  await pay(payment)
  const { customer } = await record('getPayment', payment)
  await record('listPayments', '', undefined, '?limit=1')
  await record('getCustomer', customer.id)
  await record('listCustomers', '', undefined, '?limit=1')
  const { id: refund } = await record('createRefund', '', { payment, amount: 5, reason: 'One item returned' })
  await record('getRefund', refund)
  await record('listRefunds', '', undefined, '?limit=1')
  provider.refund = async () => refused('declined')
  await send('createRefund', '', { payment, amount: 6 })
  const reversed = { accountId: owner.accountId, paymentId: PaymentId.parse(payment) }
  const { paymentId } = reversed
  const reason = 'A statement of the provider'
  await reportReversal(ctx, operator, reversed, usd(1000n), reason)
  const verdict = { kind: 'reversed', amount: usd(1000n), reason } as const
  expect(await resolveReview(ctx, operator, paymentId, null, verdict)).toBe('done')
  expect(await recordReturn(ctx, operator, paymentId, null, { amount: usd(400n), reason })).toBe('done')
  await reportReversal(ctx, operator, reversed, usd(1200n), reason)
  expect(await resolveReview(ctx, operator, paymentId, null, { kind: 'unchanged', reason })).toBe('done')

  authorising(provider)
  const { id: authorised } = await send('createPayment', '', {
    ...order,
    capture: 'manual',
    reference: 'order-1002',
  })
  await makeAttempt(ctx, await paymentNow(ctx, owner, authorised))
  ctx.clock.advance(60_000)
  await lookUpDue(ctx)
  await record('capturePayment', authorised, { amount: 20 })

  const { id: cancelled } = await send('createPayment', '', { ...order, reference: 'order-1003' })
  await record('cancelPayment', cancelled)

  const url = `/v1/applications/${client.applicationId}/webhooks/${webhook}/test`
  expect((await app.inject({ method: 'POST', url, headers: client.withSession })).statusCode).toBeLessThan(
    300,
  )
  await regenerateKey()

  const events: Record<string, unknown> = {}
  for (const schema of documentedEvents) {
    const type = schema.shape.type.value
    const newest = async () => (await send('listEvents', '', undefined, `?type=${type}&limit=1`)).data[0]
    // The list ends before the oldest transaction of the server that still writes, which may be one of another test.
    await expect.poll(newest, { message: type }).toBeDefined()
    const event = await newest()
    // The schema removes fields that it does not declare, and the event has none.
    expect(schema.parse(event), type).toEqual(event)
    events[type] = event
  }
  const listed = await record('listEvents', '', undefined, '?type=payment.completed&limit=1')
  const event = listed.data[0].id
  await record('getEvent', event)
  await record('redeliverEvent', event)
  await record('deleteWebhook', webhook)

  const recorded = illustrative({ calls, events }, ctx.config.publicUrl)
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(examplesFile))
})

type Operation = OpenAPIV3_1.OperationObject & { readonly requestBody?: OpenAPIV3_1.RequestBodyObject }

test('each operation of the document has a name, a group, a description, and examples that its schemas accept', async ({
  app,
}) => {
  const document = (await app.inject('/api/v1/openapi.json')).json<OpenAPIV3_1.Document>()
  const groups = document.tags?.map(({ name }) => name)
  const items = [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})]
  const operations = items.flatMap((item) => Object.values(item as object) as Operation[])
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ ...document, $id: 'api' })
  for (const { operationId, summary, description, tags = [], requestBody, responses } of operations) {
    expect([operationId, summary, description], operationId).toEqual(Array(3).fill(expect.any(String)))
    expect(groups, operationId).toEqual(expect.arrayContaining(tags))
    expect(tags, operationId).toHaveLength(1)
    const answers = Object.values(responses ?? {}) as OpenAPIV3_1.ResponseObject[]
    const media = [requestBody, ...answers].flatMap((part) => Object.values(part?.content ?? {}))
    for (const { schema, example, examples } of media) {
      const named = Object.keys(examples ?? {}).map((code) => document.components?.examples?.[code])
      const values = examples ? named.map((each) => (each as OpenAPIV3_1.ExampleObject).value) : [example]
      const reference = (schema as OpenAPIV3_1.ReferenceObject).$ref
      expect(reference, operationId).toMatch(/^#\/components\/schemas\/\w+$/)
      const validate = ajv.compile({ $ref: `api${reference}` })
      for (const value of values) {
        expect(value, operationId).toBeDefined()
        expect([validate(value), validate.errors], operationId).toEqual([true, null])
      }
    }
  }
  const used = new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].map(([, , name]) => name),
  )
  const declared = [document.components?.schemas, document.components?.examples].flatMap((all) =>
    Object.keys(all ?? {}),
  )
  expect(declared.filter((name) => !used.has(name))).toEqual([])
})
