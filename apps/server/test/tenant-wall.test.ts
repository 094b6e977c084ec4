import {
  ApplicationId,
  CustomerId,
  EventId,
  PasskeyId,
  PaymentId,
  RefundId,
  SessionId,
  WebhookId,
} from '@muripo/contract/ids'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { makePasskey, openedSession } from '../src/modules/identity/factory.ts'
import { createPayment } from '../src/modules/payments/actions/create-payment.ts'
import { createRefund } from '../src/modules/payments/actions/create-refund.ts'
import { makePaid, makePayment } from '../src/modules/payments/factory.ts'
import { sendTestEvent } from '../src/modules/webhooks/actions/send-test-event.ts'
import { makeEndpoint } from '../src/modules/webhooks/factory.ts'
import { suffixOf, uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { type MountedRoute, withRoutes } from './mounted-routes.ts'
import { type Input, keyedOrder, type Named, trials } from './tenant-wall-calls.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { app, routes } = await withRoutes(() => makeApp(world.ctx))
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})

const calls = routes
  .filter(({ spec }) => spec !== null)
  .map((route) => ({ ...route, name: `${route.method} ${route.url}` }))

test.each(calls)('$name has a line that says how a stranger tries it', ({ name }) => {
  const hint = `Add a line for '${name}' to apps/server/test/tenant-wall-calls.ts: about(…) when it names an object, own(…) when it
reads what the caller has, makes(…) when it makes something of the caller's, open('why') when it leads to no merchant's object.`
  expect(trials[name], hint).toBeDefined()
})

test('no line is left of a call that is gone', () => {
  const names = calls.map(({ name }) => name)
  expect(Object.keys(trials).filter((name) => !names.includes(name))).toEqual([])
})

const walled = calls.flatMap((route) => {
  const trial = trials[route.name]
  return trial && 'inputs' in trial ? [{ ...route, trial }] : []
})

test.each(calls.filter(({ name }) => trials[name]?.kind === 'elsewhere'))(
  '$name begins for nobody who shows nothing, or what opens the other surface',
  async (route) => {
    const { withKey } = await makeCaller(world.ctx)
    for (const who of [{}, withKey]) expect((await send(route, who, {})).status).toBe(401)
  },
)

describe.each(walled)('$name', ({ trial, ...route }) => {
  const surface = route.url.startsWith('/api/') ? 'withKey' : 'withSession'
  let stranger: Caller
  let owner: Caller
  let named: Named
  /** Of the very same kinds, and nobody's. */
  let unknown: Named
  /** What the stranger was answered before the owner had anything. */
  let before: Answer[]

  const ask = async (who: { authorization?: string }, about: Named): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (const input of trial.inputs(about)) answers.push(await send(route, who, input))
    return answers
  }

  beforeEach(async () => {
    const { ids } = world.ctx
    stranger = await makeCaller(world.ctx)
    await makePaid(world.ctx, stranger.owner, world.provider)
    unknown = {
      applicationId: ids.next(ApplicationId),
      pendingPaymentId: ids.next(PaymentId),
      paidPaymentId: ids.next(PaymentId),
      customerId: ids.next(CustomerId),
      refundId: ids.next(RefundId),
      sessionId: ids.next(SessionId),
      passkeyId: ids.next(PasskeyId),
      webhookId: ids.next(WebhookId),
      eventId: ids.next(EventId),
    }
    before = trial.kind === 'own' ? await ask(stranger[surface], unknown) : []
    owner = await makeCaller(world.ctx)
    named = await possessions(owner)
  })

  test('tells a stranger nothing of what another merchant has, and changes none of it', async () => {
    const rows = await rowsOf(owner)
    const answers = await ask(stranger[surface], named)
    await world.ctx.inflight.drain()

    expect(answers.length).toBeGreaterThan(0)
    if (trial.kind === 'own') expect(answers).toEqual(before)
    else if (trial.kind === 'makes') expect(answers.map(isSuccess)).toEqual(answers.map(() => true))
    else {
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
      expect(answers).toEqual(await ask(stranger[surface], unknown))
    }
    const said = JSON.stringify(answers)
    expect(marksOf(owner, named).filter((mark) => said.includes(mark))).toEqual([])
    expect(await rowsOf(owner)).toEqual(rows)
  })

  test('refuses who shows nothing, and who shows what opens the other surface', async () => {
    const rows = await rowsOf(owner)
    const other = owner[surface === 'withKey' ? 'withSession' : 'withKey']
    for (const who of [{}, other]) {
      expect((await ask(who, named)).map(({ status }) => status)).toEqual(trial.inputs(named).map(() => 401))
    }
    expect(await rowsOf(owner)).toEqual(rows)
  })

  test('works for the owner, so that the refusals above refuse something', async () => {
    const answers = await ask(owner[surface], named)
    expect(answers.map(isSuccess)).toEqual(answers.map(() => true))
    if (trial.kind === 'own') expect(answers[0]).not.toEqual(before[0])
  })
})

interface Answer {
  readonly status: number
  readonly body: string
}

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300

async function send(
  { method, url }: Pick<MountedRoute, 'method' | 'url'>,
  who: { authorization?: string },
  { params = {}, query = {}, body, headers = {} }: Input,
): Promise<Answer> {
  const response = await app.inject({
    method: method as 'GET',
    url: url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    query: { ...query },
    headers: { 'x-request-id': 'same', ...headers, ...who },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return { status: response.statusCode, body: response.body }
}

const order = {
  amount: 12.5,
  currency: 'USD',
  description: 'Order of the first merchant',
  reference: 'A-1001',
  customer: { email: 'first@customer.test', name: 'First Customer', phone: '0770000001' },
} as const

async function possessions({ owner, merchantId }: Caller): Promise<Named> {
  await createPayment(world.ctx, owner, keyedOrder.body, keyedOrder.key)
  const pending = await makePayment(world.ctx, owner, order)
  const paid = await makePaid(world.ctx, owner, world.provider, order)
  const refund = await createRefund(world.ctx, owner, { payment: paid.id, amount: 1 }, undefined)
  const { sessionId } = await openedSession(world.ctx, owner.merchantId)
  const passkey = await makePasskey(world.ctx, merchantId)
  const { endpoint } = await makeEndpoint(world.ctx, owner, 'http://127.0.0.1:9/first')
  const { event } = await sendTestEvent(world.ctx, owner, endpoint.id)
  return {
    applicationId: owner.applicationId,
    pendingPaymentId: pending.id,
    paidPaymentId: paid.id,
    customerId: pending.customer.id ?? '',
    refundId: JSON.parse(refund.json).id,
    sessionId,
    passkeyId: passkey.id,
    webhookId: endpoint.id,
    eventId: event.id,
  }
}

/** Texts that are in an answer only when it tells of this merchant. */
const marksOf = ({ merchantId, applicationKey }: Caller, named: Named): string[] => [
  applicationKey,
  order.description,
  order.reference,
  ...Object.values(order.customer),
  ...[merchantId, ...Object.values(named)].map(suffixOf),
]

/** Every row that is this merchant's, in whichever table: a new table is looked at by itself. */
async function rowsOf({ merchantId }: Caller): Promise<Record<string, unknown[]>> {
  const { pool } = world.ctx.db
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = 'merchant_id' order by 1`,
  )
  const found: Record<string, unknown[]> = {}
  for (const [name, column] of [['merchants', 'id'], ...tables.map((table) => [table.name, 'merchant_id'])]) {
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from ${name} t where ${column} = $1 order by to_jsonb(t)::text`,
      [uuidOf(merchantId)],
    )
    found[name ?? ''] = rows.map(({ row }) => row)
  }
  return found
}
