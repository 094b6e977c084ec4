import {
  ApplicationId,
  CustomerId,
  EventId,
  InvitationId,
  KeyId,
  MerchantId,
  PasskeyId,
  PaymentId,
  PersonId,
  RefundId,
  SessionId,
  WebhookId,
} from '@muripo/contract/ids'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePaid } from '../src/modules/payments/factory.ts'
import { suffixOf } from '../src/platform/ids.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { type MountedRoute, withRoutes } from './mounted-routes.ts'
import { order, possessionsOf, rowsOf } from './possessions.ts'
import { type Input, type Named, trials } from './tenant-wall-calls.ts'
import { transactionsEnded } from './transactions-ended.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { app, routes } = await withRoutes(() => makeApp(world.ctx))
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})

const calls = routes
  // The console has no merchant as a caller: console.test.ts.
  .filter(({ spec, url }) => spec !== null && !url.startsWith('/console/'))
  .map((route) => ({ ...route, name: `${route.method} ${route.url}` }))

test.each(calls)('$name has a line that shows how another merchant sends it', ({ name }) => {
  const hint = `Add a line for '${name}' to apps/server/test/tenant-wall-calls.ts: about(…) when it names an object, own(…) when it
reads what the caller has, makes(…) when it makes something of the caller's, open('why') when it leads to no merchant's object.`
  expect(trials[name], hint).toBeDefined()
})

test('no line is left of a removed call', () => {
  const names = calls.map(({ name }) => name)
  expect(Object.keys(trials).filter((name) => !names.includes(name))).toEqual([])
})

const walled = calls.flatMap((route) => {
  const trial = trials[route.name]
  return trial && 'inputs' in trial ? [{ ...route, trial }] : []
})

test.each(calls.filter(({ name }) => trials[name]?.kind === 'elsewhere'))(
  '$name begins for no caller without credentials, or with those of the other surface',
  async (route) => {
    const { withKey } = await makeCaller(world.ctx)
    for (const who of [{}, withKey]) expect((await send(route, who, {})).status).toBe(401)
  },
)

describe.each(walled)('$name', ({ trial, ...route }) => {
  const surface = route.url.startsWith('/api/') ? 'withKey' : 'withSession'
  let other: Caller
  let owner: Caller
  let named: Named
  /** Ids of the same kinds that do not exist. */
  let unknown: Named
  /** The other merchant's responses before the owner had any object. */
  let before: Answer[]

  const request = async (who: { authorization?: string }, about: Named): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (const input of trial.inputs(about)) answers.push(await send(route, who, input))
    return answers
  }

  // One set of objects for the three tests: the first two change nothing of the owner's, and the last one may.
  beforeAll(async () => {
    const { ids } = world.ctx
    other = await makeCaller(world.ctx)
    await makePaid(world.ctx, other.owner, world.provider)
    await transactionsEnded(world.ctx)
    unknown = {
      merchantId: ids.next(MerchantId),
      memberId: ids.next(PersonId),
      invitationId: ids.next(InvitationId),
      keyId: ids.next(KeyId),
      applicationId: ids.next(ApplicationId),
      pendingPaymentId: ids.next(PaymentId),
      authorizedPaymentId: ids.next(PaymentId),
      paidPaymentId: ids.next(PaymentId),
      customerId: ids.next(CustomerId),
      refundId: ids.next(RefundId),
      sessionId: ids.next(SessionId),
      passkeyId: ids.next(PasskeyId),
      webhookId: ids.next(WebhookId),
      eventId: ids.next(EventId),
    }
    before = trial.kind === 'own' ? await request(other[surface], unknown) : []
    owner = await makeCaller(world.ctx)
    named = await possessionsOf(world, owner)
    // The list of events ends before the oldest transaction of the server, of whichever database.
    await transactionsEnded(world.ctx)
  })

  test('shows another merchant nothing of a merchant’s objects, and changes none of them', async () => {
    const rows = await rowsOf(world.ctx, owner)
    const answers = await request(other[surface], named)
    await world.ctx.backgroundTasks.drain()

    expect(answers.length).toBeGreaterThan(0)
    if (trial.kind === 'own') expect(answers).toEqual(before)
    else if (trial.kind === 'makes') expect(answers.map(isSuccess)).toEqual(answers.map(() => true))
    else {
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
      expect(answers).toEqual(await request(other[surface], unknown))
    }
    const answered = JSON.stringify(answers)
    expect(marksOf(owner, named).filter((mark) => answered.includes(mark))).toEqual([])
    expect(await rowsOf(world.ctx, owner)).toEqual(rows)
  })

  test('refuses a caller without credentials, and with those of the other surface', async () => {
    const rows = await rowsOf(world.ctx, owner)
    const other = owner[surface === 'withKey' ? 'withSession' : 'withKey']
    for (const who of [{}, other]) {
      expect((await request(who, named)).map(({ status }) => status)).toEqual(
        trial.inputs(named).map(() => 401),
      )
    }
    expect(await rowsOf(world.ctx, owner)).toEqual(rows)
  })

  test('works for the owner, so that the refusals above refuse something', async () => {
    const answers = await request(owner[surface], named)
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

/** Texts that a response contains only when it reveals this merchant. */
const marksOf = ({ merchantId, applicationKey }: Caller, named: Named): string[] => [
  applicationKey,
  order.description,
  order.reference,
  ...Object.values(order.customer),
  ...[merchantId, ...Object.values(named)].map(suffixOf),
]
