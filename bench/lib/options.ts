import { parseArgs } from 'node:util'

/** A coordinator of Citus, on which a run has a database of its own. */
export interface Cluster {
  /** The address of a database of the coordinator, as a superuser. */
  readonly url: string
  readonly shards: number
}

export interface Options {
  /** Null for a PostgreSQL of the bench's own. */
  readonly cluster: Cluster | null
  /** The duration of one round. */
  readonly seconds: number
  readonly rounds: number
  /** The numbers of clients among which the best one is chosen for each figure. */
  readonly pgClients: readonly number[]
  readonly httpConnections: readonly number[]
  /** The same for pgbench with many rows in a transaction. */
  readonly batchClients: readonly number[]
  readonly tpcbScale: number
  readonly fsyncTest: boolean
  /** The duration of a measurement at a fixed rate. In a shorter one, a single stall of the machine would decide the p99. */
  readonly openLoopSeconds: number
  /** The duration of one round of lives in production's shape, after its warm-up. */
  readonly livesSeconds: number
  /** Payers who wait for their wallet at the same time. */
  readonly waiting: number
  /** Divides the times that payers take. */
  readonly faster: number
  /** The share of callbacks that are not sent, so that a look-up finds the result. */
  readonly lost: number
  /** Additional milliseconds of each flush of a commit. */
  readonly flushDelayMs: number
  /** The processes of the gateway, all of which serve the API. */
  readonly processes: number
  /** Payments that exist before creates and lives are measured. */
  readonly payments: number
  /** Counts commits and flushes for each create, which takes half a minute of waiting. */
  readonly perRequest: boolean
  /** The duration of one round of the memory. */
  readonly memoryRoundSeconds: number
  /** The accounts that sign in: enough that none exceeds its hourly limit of codes. */
  readonly accounts: number
  /** The merchants of the creates, the lives and the memory. */
  readonly merchants: number
  readonly parts: readonly Part[]
  readonly quick: boolean
  /** The numbers of payments of the merchants of the lists, in ascending order. */
  readonly sizes: readonly number[]
  readonly listRounds: number
  /** Rounds of the lists that are not measured. */
  readonly listWarmUps: number
  /** The number of payments that are created while memory is measured. */
  readonly created: number
}

const parts = ['creates', 'lives', 'statements', 'sign-in', 'webhooks', 'memory', 'lists', 'start'] as const
export type Part = (typeof parts)[number]

/** Parts that are compared with pgbench in the same run. Only these can be measured on Citus. */
export const needsPgbench = (part: Part): boolean => part === 'creates' || part === 'lives'

/** The number of merchants in the loads that use each key in turn, with one amount. */
export const fewMerchants = 100

export const usage = `npm run bench -- [--quick] [--only creates|lives|statements|sign-in|webhooks|memory|lists|start] [--seconds N] [--rounds N] [--rows N]
                [--waiting N] [--faster N] [--lost N] [--flush-delay N] [--processes N] [--payments N] [--shards N]

  With CITUS_URL, the address of a coordinator of Citus with workers, as a superuser, creates and lives use a database of their own on its
  nodes, and the other parts are left out.

  --quick      half a minute: one round of 0.2 s (of pgbench ten transactions a client), one number of clients, pgbench scale 1, 200
               merchants, lists of 10,000 payments and memory over 300. Whether every part runs, not how fast it is; without pgbench,
               creates and lives are left out
  --only PART  creates, lives, statements (of one life), sign-in, webhooks, memory (over a million payments), lists, or start, which builds the web app
               of this checkout again and is not among the parts of a run without --only
  --seconds N  length of one round of the creates, lives, sign-ins and webhooks (3; of lives in production's shape 15)
  --rounds N   rounds of each figure of them, interleaved (5)
  --waiting N  payers of the lives who wait for their wallet at once (20,000); a wallet takes 10 to 30 s
  --faster N   divides these times, and so the length of a round; the gateway looks payments up from 3 s on (1)
  --lost N     callbacks of a hundred that are not sent (0)
  --flush-delay N
               milliseconds, at most 100, that each flush of a commit takes more, in the creates and lives and in pgbench beside them (0)
  --processes N
               processes of the gateway on one database in the creates and lives; all but the first serve the API only (1)
  --payments N
               payments that are there before the creates and lives, of the same merchants by Zipf's law (0)
  --shards N   shards of each table on Citus (4)
  --rows N     payments of the bigger merchant of the lists (10,000,000); the smaller one has a tenth`

/** @param citusUrl of the environment */
export function readOptions(args: readonly string[], citusUrl?: string): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      rows: { type: 'string' },
      waiting: { type: 'string' },
      faster: { type: 'string' },
      lost: { type: 'string' },
      'flush-delay': { type: 'string' },
      processes: { type: 'string' },
      payments: { type: 'string' },
      shards: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { quick } = values
  const cluster = clusterOf(citusUrl, values)
  const rows = whole('--rows', values.rows, quick ? 10_000 : 10_000_000)
  if (rows < 1000) throw new Error('--rows must be at least 1,000')
  return {
    cluster,
    seconds: whole('--seconds', values.seconds, quick ? 0.2 : 3),
    rounds: whole('--rounds', values.rounds, quick ? 1 : 5),
    pgClients: quick ? [32] : [1, 2, 4, 8, 16, 32, 64],
    httpConnections: quick ? [64] : [16, 32, 64, 128],
    batchClients: quick ? [4] : [2, 4, 8],
    tpcbScale: quick ? 1 : 50,
    fsyncTest: !quick,
    openLoopSeconds: quick ? 0.2 : 6,
    livesSeconds: whole('--seconds', values.seconds, quick ? 1 : 15),
    waiting: whole('--waiting', values.waiting, quick ? 50 : 20_000),
    faster: whole('--faster', values.faster, quick ? 100 : 1),
    lost: (values.lost === undefined ? 0 : whole('--lost', values.lost, 0)) / 100,
    flushDelayMs: whole('--flush-delay', values['flush-delay'], 0),
    processes: whole('--processes', values.processes, 1),
    payments: whole('--payments', values.payments, 0),
    perRequest: !quick,
    memoryRoundSeconds: quick ? 0.2 : 10,
    accounts: quick ? 100 : 2000,
    merchants: quick ? 200 : 10_000,
    parts: partsOf(values.only, cluster),
    quick,
    sizes: [Math.floor(rows / 10), rows],
    listRounds: quick ? 1 : 100,
    listWarmUps: quick ? 0 : 3,
    created: quick ? 300 : 1_000_000,
  }
}

function partsOf(only: string | undefined, cluster: Cluster | null): readonly Part[] {
  const usual = parts.filter((each) => (cluster ? needsPgbench(each) : each !== 'start'))
  if (only === undefined) return usual
  const part = parts.find((each) => each === only)
  if (!part) throw new Error(`--only must be one of ${parts.join(', ')}`)
  if (cluster && !usual.includes(part))
    throw new Error(`only ${usual.join(' and ')} can be measured on Citus (CITUS_URL), and not ${part}`)
  return [part]
}

/** Options that change the bench's own PostgreSQL. */
const ofOwnServer = ['flush-delay', 'payments'] as const

function clusterOf(
  url: string | undefined,
  values: Readonly<Partial<Record<(typeof ofOwnServer)[number] | 'shards', string>>>,
): Cluster | null {
  if (url === undefined) {
    if (values.shards !== undefined) throw new Error('--shards needs the address of Citus (CITUS_URL)')
    return null
  }
  const refused = ofOwnServer.find((name) => values[name] !== undefined)
  if (refused) throw new Error(`--${refused} does not work on Citus (CITUS_URL)`)
  return { url, shards: whole('--shards', values.shards, 4) }
}

function whole(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1`)
  return value
}
