import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Problem } from '@muripo/contract/errors'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { openedSession } from '../../src/modules/identity/factory.ts'
import { makePaid, makePayment } from '../../src/modules/payments/factory.ts'
import { type Caller, makeApp, makeCaller } from '../app.ts'
import { operatorAt } from '../console.ts'
import { type MountedRoute, withRoutes } from '../mounted-routes.ts'
import { makeWorld } from '../world.ts'
import { type Shot, shotsAt } from './shots.ts'

/** The number of requests; MURIPO_FUZZ sets it. */
const SHOTS = Number(process.env.MURIPO_FUZZ ?? 4000)
const AT_ONCE = 8
const TIMEOUT_MS = 15_000
const GROWTH_BYTES = 64 * 1024 * 1024

const world = await makeWorld({ RATE_LIMITS: '1000000' })
const { app, routes } = await withRoutes(() => makeApp(world.ctx))
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})

// live.test.ts tests event streams.
const targets = routes.filter(({ url, spec }) => !url.endsWith('*') && spec?.events === undefined)
const volleys = Math.max(1, Math.ceil(SHOTS / AT_ONCE / targets.length))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heap = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

test(`no request, however odd, causes an internal error, a missing response, or a memory leak (${volleys * AT_ONCE} at each call)`, {
  timeout: 60_000 + SHOTS * 50,
}, async () => {
  let before = heap()
  for (const [n, target] of targets.entries()) {
    await fuzz(target)
    // Before this, code is compiled and connections are opened.
    if (n === Math.floor(targets.length / 4)) before = heap()
  }
  expect(heap() - before).toBeLessThan(GROWTH_BYTES)
  expect(world.errors).toEqual([])
})

async function fuzz(target: MountedRoute): Promise<void> {
  const caller = await makeCaller(world.ctx)
  const isOfConsole = target.url.startsWith('/console/')
  const known = [...(await idsOf(caller)), ...(isOfConsole ? [caller.merchantId, 'paynow'] : [])]
  const enter = async (): Promise<Headers> => {
    if (isOfConsole) return atConsole()
    return target.url.startsWith('/api/') ? caller.withKey : freshSession(caller)
  }
  let who = await enter()
  const shots = fc.array(shotsAt(target, known), { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(shots, async (volley) => {
      const statuses = await Promise.all(volley.map((shot) => fire(target, shot, who)))
      // Some calls end the session of their caller. The console answers nobody with 404.
      if (statuses.includes(401) || target.url.endsWith('/sign-out')) who = await enter()
    }),
    { numRuns: volleys },
  )
}

/** On a busy machine a call is refused that waits too long for a hashing thread, or for a lock of the database: it is sent again. */
const MOST_SENDS = 5
const RESEND_AFTER_MS = 1000

async function fire(target: MountedRoute, shot: Shot, who: Headers): Promise<number> {
  let answer = await send(target, shot, who)
  for (let sends = 1; answer.statusCode === 503 && sends < MOST_SENDS; sends += 1) {
    await sleep(RESEND_AFTER_MS)
    answer = await send(target, shot, who)
  }
  expectAnswer(answer, target.spec)
  return answer.statusCode
}

const send = ({ method }: MountedRoute, shot: Shot, who: Headers) =>
  Promise.race([
    app.inject({
      ...shot,
      method: method as 'GET',
      headers: { ...shot.headers, 'x-api-key': world.ctx.keys.uploadKey, ...who },
    }),
    new Promise<never>((_, fail) =>
      setTimeout(fail, TIMEOUT_MS, new Error(`no answer to ${shot.url}`)).unref(),
    ),
  ])

function expectAnswer(answer: LightMyRequestResponse, spec: MountedRoute['spec']): void {
  expect(answer.statusCode, answer.body).toBeLessThan(500)
  if (answer.statusCode >= 400) {
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(Problem.parse(answer.json()).status).toBe(answer.statusCode)
  } else if (spec) expect(Object.keys(spec.reply)).toContain(String(answer.statusCode))
}

/** An id of the caller for each kind of object. */
async function idsOf({ owner }: Caller): Promise<string[]> {
  const [pending, paid, session] = await Promise.all([
    makePayment(world.ctx, owner),
    makePaid(world.ctx, owner, world.provider),
    openedSession(world.ctx, owner.accountId),
  ])
  return [owner.applicationId, pending.id, paid.id, session.sessionId, `otp_${'0'.repeat(26)}`, 'scripted']
}

type Headers = Readonly<Record<string, string>>

async function freshSession({ merchantId }: Caller): Promise<Headers> {
  const { tokens } = await openedSession(world.ctx, merchantId)
  return { authorization: `Bearer ${tokens.authToken}` }
}

/** The calls of an admin of the company, beside whom there are others. */
async function atConsole(): Promise<Headers> {
  const { cookie } = await operatorAt(app, world.ctx, 'admin')
  return { cookie, origin: world.ctx.config.consoleUrl }
}
