import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { signIn, signUp } from '@muripo/rig/merchant'
import type { Gateway, Run } from '../lib/gateway.ts'
import { sendExpecting } from '../lib/http.ts'
import { type CpuUsage, cpuBetween, cpuUsage, hashingCpu, shareOfOthers } from '../lib/meter.ts'
import { copyMerchants } from '../lib/seed.ts'
import { mediansOf } from '../lib/statistics.ts'

export interface SignInFigures {
  /** Parameters of the password hash, read from a hash. */
  readonly cost: string
  readonly atOnce: number
  /** Per second, one of each round. */
  readonly raw: readonly number[]
  readonly signIns: readonly number[]
  /** Latencies of another route in milliseconds, during sign-ins and without them. */
  readonly beside: readonly number[]
  readonly alone: readonly number[]
  /** Processor seconds for one, medians; those of a sign-in exclude the calls of the other route and idling. */
  readonly cpu: Costs
  /** The shares of the machine during the sign-ins, medians. */
  readonly shares: Shares
  /** Processor time of other processes in all rounds, as a share of the machine. */
  readonly others: number
}

interface Costs {
  readonly raw: number
  readonly hashing: number
  /** Without hashing. */
  readonly gateway: number
  readonly postgres: number
  readonly clients: number
}

interface Shares {
  readonly hashing: number
  readonly gateway: number
  readonly postgres: number
  /** Clients that sign in, and the client of the other route. */
  readonly clients: number
  readonly others: number
}

const clients = 8
const atOnce = 2
const besideEveryMs = 50
const besidePath = '/v1/applications/all'

/** No limit refuses a call, although all come from one address. */
export const signInEnvironment = { RATE_LIMITS: '1000000', PASSWORD_HASHES: String(atOnce) }

/** @throws when a call is not answered with 200: such a run has no figure */
export async function measureSignIns({ gateway, options, log }: Run): Promise<SignInFigures> {
  const { seconds, rounds, accounts } = options
  const agent = new Agent({ keepAlive: true })
  try {
    log(`${accounts} accounts`)
    const loads = await prepareLoads(gateway, agent, accounts)
    log('warming up')
    await loads.hash(Math.min(1, seconds))
    await perSecond(Math.min(1, seconds), loads.signIn)
    const measured: Round[] = []
    const first = usageOf(gateway)
    for (let round = 1; round <= rounds; round += 1) {
      log(`round ${round} of ${rounds}`)
      measured.push(await measureRound(gateway, loads, seconds))
    }
    return {
      cost: loads.cost,
      atOnce,
      raw: measured.map(({ raw }) => raw),
      signIns: measured.map(({ signIns }) => signIns),
      beside: measured.flatMap(({ beside }) => beside),
      alone: measured.flatMap(({ alone }) => alone),
      cpu: mediansOf(measured.map(({ cpu }) => cpu)),
      shares: mediansOf(measured.map(({ shares }) => shares)),
      others: sharesOf(first, usageOf(gateway)).others,
    }
  } finally {
    agent.destroy()
  }
}

interface Loads {
  /** Parameters of the password hash. */
  readonly cost: string
  /** Hashes without the gateway for a number of seconds. */
  hash(seconds: number): Promise<Rate>
  signIn(): Promise<void>
  /** One call of another route. */
  callBeside(): Promise<void>
}

async function prepareLoads(gateway: Gateway, agent: Agent, accounts: number): Promise<Loads> {
  const sql = await gateway.connect()
  const account = await signUp(gateway.url, 'first@bench.example')
  const { authToken: token } = await signIn(gateway.url, account)
  const emails = await copyMerchants(sql, accounts)
  const { rows } = await sql.query<{ hash: string }>('select password_hash as hash from persons limit 1')
  await sql.end()
  const hash = rows[0]?.hash ?? ''
  const { password } = account
  let next = 0
  return {
    cost: hash.split('$').slice(1, 4).join(' '),
    hash: (seconds) => rawHashing({ hash, password, seconds }),
    signIn: () =>
      call(gateway, agent, '/v1/auth/signin', { body: { email: emails[next++ % emails.length], password } }),
    callBeside: () => call(gateway, agent, besidePath, { token }),
  }
}

interface Round {
  readonly raw: number
  readonly signIns: number
  readonly beside: readonly number[]
  readonly alone: readonly number[]
  readonly cpu: Costs
  readonly shares: Shares
}

/** Measures the other route alone, hashing without the gateway, and sign-ins beside the other route. */
async function measureRound(gateway: Gateway, loads: Loads, seconds: number): Promise<Round> {
  const quietAt = usageOf(gateway)
  const alone = await every(besideEveryMs, loads.callBeside, sleep(seconds * 1000))
  const rawAt = usageOf(gateway)
  const hashed = await loads.hash(seconds)
  const busyAt = usageOf(gateway)
  const signing = perSecond(seconds, loads.signIn)
  const beside = await every(besideEveryMs, loads.callBeside, signing)
  const { count, rate } = await signing
  const endedAt = usageOf(gateway)

  const [quiet, busy] = [between(quietAt, rawAt), between(busyAt, endedAt)]
  /** The processor seconds of one sign-in, without those of the other route and of idling. */
  const ofOne = (part: 'hashing' | 'gateway' | 'postgres' | 'clients') =>
    (busy[part] - (quiet[part] / quiet.used.all) * busy.used.all) / count
  return {
    raw: hashed.rate,
    signIns: rate,
    beside,
    alone,
    cpu: {
      raw: between(rawAt, busyAt).raw / hashed.count,
      hashing: ofOne('hashing'),
      gateway: ofOne('gateway'),
      postgres: ofOne('postgres'),
      clients: ofOne('clients'),
    },
    shares: sharesOf(busyAt, endedAt),
  }
}

interface Usage extends CpuUsage {
  readonly hashing: number
}

const usageOf = (gateway: Gateway): Usage => ({ ...cpuUsage(gateway), hashing: hashingCpu(gateway.pid) })

/** Processor seconds between two moments. The bench contains the clients, and hashes without the gateway. */
function between(from: Usage, to: Usage): Costs & { readonly used: CpuUsage } {
  const used = cpuBetween(from, to)
  const hashing = to.hashing - from.hashing
  return {
    used,
    raw: used.bench,
    hashing,
    gateway: used.gateway - hashing,
    postgres: used.postgres,
    clients: used.bench,
  }
}

function sharesOf(from: Usage, to: Usage): Shares {
  const { used, ...parts } = between(from, to)
  const share = (part: keyof typeof parts) => Math.max(0, parts[part]) / used.all
  return {
    hashing: share('hashing'),
    gateway: share('gateway'),
    postgres: share('postgres'),
    clients: share('clients'),
    others: shareOfOthers(used),
  }
}

interface Rate {
  readonly count: number
  /** Per second. */
  readonly rate: number
}

/** Hashes without the gateway, on as many threads as the gateway uses. */
async function rawHashing(workerData: { hash: string; password: string; seconds: number }): Promise<Rate> {
  const file = new URL('./hashing-thread.ts', import.meta.url)
  const rates = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const [rate] = (await once(new Worker(file, { workerData }), 'message')) as [Rate]
      return rate
    }),
  )
  return {
    count: rates.reduce((sum, each) => sum + each.count, 0),
    rate: rates.reduce((sum, each) => sum + each.rate, 0),
  }
}

/** Clients that start their next call after each response. */
async function perSecond(seconds: number, work: () => Promise<void>): Promise<Rate> {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let count = 0
  let lastAt = startedAt
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < endsAt) {
        await work()
        count += 1
        lastAt = performance.now()
      }
    }),
  )
  // Calls in progress at the end are completed and counted, with their time.
  return { count, rate: (count * 1000) / (lastAt - startedAt) }
}

/** Sends calls at fixed times, whether or not earlier ones are answered. @returns milliseconds from the due time of each to its response */
async function every(ms: number, send: () => Promise<void>, until: Promise<unknown>): Promise<number[]> {
  const startedAt = performance.now()
  const timings: Promise<number>[] = []
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  for (let nth = 1; !isOver; nth += 1) {
    const due = startedAt + nth * ms
    await sleep(Math.max(0, due - performance.now()))
    timings.push(send().then(() => performance.now() - due))
  }
  await until
  return Promise.all(timings)
}

async function call(
  { port }: Gateway,
  agent: Agent,
  path: string,
  { body, token }: { body?: object; token?: string },
): Promise<void> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  await sendExpecting(200, agent, port, {
    path,
    method: body ? 'POST' : 'GET',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
}
