import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { Worker } from 'node:worker_threads'
import type { Gateway } from '../lib/gateway.ts'
import { hashingCpu, machineCpu, postgresCpu, processCpu } from '../lib/meter.ts'
import type { Options } from '../lib/options.ts'
import { copyMerchants, signIn, signUp } from '../lib/seed.ts'
import { median } from '../lib/statistics.ts'

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
  /** Processor seconds for one, medians; of a sign-in without what the calls of the other route and idling take. */
  readonly cpu: Costs
  /** The share of the machine that each took while there were sign-ins, medians. */
  readonly shares: Shares
  /** Processor time of other processes in all rounds, as a share of the machine. */
  readonly others: number
}

interface Costs {
  readonly raw: number
  readonly hashing: number
  /** But for hashing. */
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
export async function measureSignIns(
  gateway: Gateway,
  { seconds, rounds, accounts }: Options,
  log: (line: string) => void,
): Promise<SignInFigures> {
  const sql = await gateway.connect()
  const agent = new Agent({ keepAlive: true })
  try {
    log(`${accounts} accounts`)
    const account = await signUp(gateway.url, 'first@bench.example')
    const token = await signIn(gateway.url, account)
    const emails = await copyMerchants(sql, accounts)
    const { rows } = await sql.query<{ hash: string }>('select password_hash as hash from merchants limit 1')
    const hash = rows[0]?.hash ?? ''
    let next = 0

    const signInOnce = async () => {
      const email = emails[next++ % emails.length]
      await call(gateway, agent, '/v1/auth/signin', { body: { email, password: account.password } })
    }
    const hashFor = (length: number) => rawHashing({ hash, password: account.password, seconds: length })
    const requestBeside = () => call(gateway, agent, besidePath, { token })

    log('warming up')
    await hashFor(Math.min(1, seconds))
    await perSecond(Math.min(1, seconds), signInOnce)
    const cpu: Costs[] = []
    const shares: Shares[] = []
    const [raw, signIns, beside, alone]: [number[], number[], number[], number[]] = [[], [], [], []]
    const first = usage(gateway)
    for (let round = 1; round <= rounds; round += 1) {
      log(`round ${round} of ${rounds}`)
      const quietAt = usage(gateway)
      alone.push(...(await every(besideEveryMs, requestBeside, sleepFor(seconds))))
      const rawAt = usage(gateway)
      const hashed = await hashFor(seconds)
      const busyAt = usage(gateway)
      const signing = perSecond(seconds, signInOnce)
      beside.push(...(await every(besideEveryMs, requestBeside, signing)))
      const { count, rate } = await signing
      const endedAt = usage(gateway)
      raw.push(hashed.rate)
      signIns.push(rate)
      const ofOne = (who: 'hashing' | 'gateway' | 'postgres' | 'clients') => {
        const besides = (rawAt[who] - quietAt[who]) / (rawAt.machine - quietAt.machine)
        return (endedAt[who] - busyAt[who] - besides * (endedAt.machine - busyAt.machine)) / count
      }
      cpu.push({
        raw: (busyAt.clients - rawAt.clients) / hashed.count,
        hashing: ofOne('hashing'),
        gateway: ofOne('gateway'),
        postgres: ofOne('postgres'),
        clients: ofOne('clients'),
      })
      shares.push(sharesOf(busyAt, endedAt))
    }
    return {
      cost: hash.split('$').slice(1, 4).join(' '),
      atOnce,
      raw,
      signIns,
      beside,
      alone,
      cpu: {
        raw: median(cpu.map((each) => each.raw)),
        hashing: median(cpu.map((each) => each.hashing)),
        gateway: median(cpu.map((each) => each.gateway)),
        postgres: median(cpu.map((each) => each.postgres)),
        clients: median(cpu.map((each) => each.clients)),
      },
      shares: {
        hashing: median(shares.map((each) => each.hashing)),
        gateway: median(shares.map((each) => each.gateway)),
        postgres: median(shares.map((each) => each.postgres)),
        clients: median(shares.map((each) => each.clients)),
        others: median(shares.map((each) => each.others)),
      },
      others: sharesOf(first, usage(gateway)).others,
    }
  } finally {
    agent.destroy()
    await sql.end()
  }
}

/** Processor seconds until now. */
interface Usage {
  readonly hashing: number
  readonly gateway: number
  readonly postgres: number
  /** This process, which hashes without the gateway, too. */
  readonly clients: number
  readonly busy: number
  readonly machine: number
}

function usage(gateway: Gateway): Usage {
  const { busy, all } = machineCpu()
  const hashing = hashingCpu(gateway.pid)
  return {
    hashing,
    gateway: processCpu(gateway.pid) - hashing,
    postgres: postgresCpu(...gateway.postmasterPids),
    clients: processCpu(process.pid),
    busy,
    machine: all,
  }
}

function sharesOf(from: Usage, to: Usage): Shares {
  const share = (seconds: number) => Math.max(0, seconds) / (to.machine - from.machine)
  const [hashing, gateway, postgres, clients] = [
    to.hashing - from.hashing,
    to.gateway - from.gateway,
    to.postgres - from.postgres,
    to.clients - from.clients,
  ]
  return {
    hashing: share(hashing),
    gateway: share(gateway),
    postgres: share(postgres),
    clients: share(clients),
    others: share(to.busy - from.busy - hashing - gateway - postgres - clients),
  }
}

interface Rate {
  readonly count: number
  /** Per second. */
  readonly rate: number
}

/** Nothing but hashing, on as many threads as the gateway uses. */
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

/** Milliseconds that each took, from when it was due: by the clock, whether or not the ones before are answered. */
async function every(ms: number, send: () => Promise<void>, until: Promise<unknown>): Promise<number[]> {
  const startedAt = performance.now()
  const timings: Promise<number>[] = []
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  for (let nth = 1; !isOver; nth += 1) {
    const due = startedAt + nth * ms
    await sleepFor(Math.max(0, due - performance.now()) / 1000)
    timings.push(send().then(() => performance.now() - due))
  }
  await until
  return Promise.all(timings)
}

const sleepFor = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000))

function call(
  gateway: Gateway,
  agent: Agent,
  path: string,
  { body, token }: { body?: object; token?: string },
): Promise<void> {
  const payload = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    }
    const timings = request(
      { agent, host: '127.0.0.1', port: gateway.port, path, method: body ? 'POST' : 'GET', headers },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () =>
          response.statusCode === 200
            ? resolve()
            : reject(new Error(`${path} was answered with ${response.statusCode}: ${text}`)),
        )
        response.on('error', reject)
      },
    )
    timings.on('error', reject)
    timings.end(payload)
  })
}
