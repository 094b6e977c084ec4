import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { Worker } from 'node:worker_threads'
import type { Gateway } from '../gateway.ts'
import { machineCpu, postgresCpu, processCpu } from '../meter.ts'
import type { Options } from '../options.ts'
import { copyMerchants, signIn, signUp } from '../seed.ts'
import { median } from '../statistics.ts'

export interface SignInFigures {
  /** How the passwords are hashed, as the hash says it. */
  readonly cost: string
  readonly atOnce: number
  /** Per second, one of each round. */
  readonly raw: readonly number[]
  readonly signIns: readonly number[]
  /** Milliseconds that calls of another route took meanwhile, and while nobody signed in. */
  readonly beside: readonly number[]
  readonly alone: readonly number[]
  /** Processor seconds for one, medians. */
  readonly cpu: { readonly raw: number; readonly gateway: number; readonly postgres: number }
  /** What the rest of the machine used meanwhile, as a share of it. */
  readonly others: number
}

/** So many accounts that none is asked for more codes in an hour than it may be. */
const accounts = 2000
const clients = 8
const atOnce = 2
const besideEveryMs = 50
const besidePath = '/v1/applications/all'

/** Nobody is refused for coming too often: all come from one address. */
export const signInEnvironment = { RATE_LIMITS: '1000000', PASSWORD_HASHES: String(atOnce) }

/** @throws when a call is not answered with 200: such a run has no figure */
export async function measureSignIns(
  gateway: Gateway,
  { seconds, rounds }: Options,
  say: (line: string) => void,
): Promise<SignInFigures> {
  const sql = await gateway.connect()
  const agent = new Agent({ keepAlive: true })
  try {
    say(`${accounts} accounts`)
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
    const askBeside = () => call(gateway, agent, besidePath, { token })

    say('warming up')
    await hashFor(1)
    await perSecond(1, signInOnce)
    const cpu: { raw: number; gateway: number; postgres: number }[] = []
    const [raw, signIns, beside, alone]: [number[], number[], number[], number[]] = [[], [], [], []]
    const machine = machineCpu()
    const used = ours(gateway)
    for (let round = 1; round <= rounds; round += 1) {
      say(`round ${round} of ${rounds}`)
      alone.push(...(await every(besideEveryMs, askBeside, sleepFor(seconds))))
      const before = processCpu(process.pid)
      const hashed = await hashFor(seconds)
      const rawCpu = (processCpu(process.pid) - before) / hashed.count
      const [node, postgres] = [processCpu(gateway.pid), postgresCpu(gateway.postmasterPid)]
      const signing = perSecond(seconds, signInOnce)
      beside.push(...(await every(besideEveryMs, askBeside, signing)))
      const { count, rate } = await signing
      raw.push(hashed.rate)
      signIns.push(rate)
      cpu.push({
        raw: rawCpu,
        gateway: (processCpu(gateway.pid) - node) / count,
        postgres: (postgresCpu(gateway.postmasterPid) - postgres) / count,
      })
    }
    const after = machineCpu()
    const busy = after.busy - machine.busy - (ours(gateway) - used)
    return {
      cost: hash.split('$').slice(1, 4).join(' '),
      atOnce,
      raw,
      signIns,
      beside,
      alone,
      cpu: {
        raw: median(cpu.map((each) => each.raw)),
        gateway: median(cpu.map((each) => each.gateway)),
        postgres: median(cpu.map((each) => each.postgres)),
      },
      others: Math.max(0, busy) / (after.all - machine.all),
    }
  } finally {
    agent.destroy()
    await sql.end()
  }
}

const ours = (gateway: Gateway): number =>
  processCpu(gateway.pid) + postgresCpu(gateway.postmasterPid) + processCpu(process.pid)

interface Rate {
  readonly count: number
  /** Per second. */
  readonly rate: number
}

/** Nothing but hashing, on as many threads as the gateway uses. */
async function rawHashing(workerData: { hash: string; password: string; seconds: number }): Promise<Rate> {
  const file = new URL('../../hashing-thread.ts', import.meta.url)
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

/** Clients that each begin anew when they are answered. */
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
  // Those that were under way at the end are finished and counted, and so is their time.
  return { count, rate: (count * 1000) / (lastAt - startedAt) }
}

/** Milliseconds that each took, from when it was due: by the clock, whether or not the ones before are answered. */
async function every(ms: number, ask: () => Promise<void>, until: Promise<unknown>): Promise<number[]> {
  const startedAt = performance.now()
  const asked: Promise<number>[] = []
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  for (let nth = 1; !isOver; nth += 1) {
    const due = startedAt + nth * ms
    await sleepFor(Math.max(0, due - performance.now()) / 1000)
    asked.push(ask().then(() => performance.now() - due))
  }
  await until
  return Promise.all(asked)
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
    const asked = request(
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
    asked.on('error', reject)
    asked.end(payload)
  })
}
