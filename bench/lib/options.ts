import { parseArgs } from 'node:util'

export interface Options {
  /** Of one round. */
  readonly seconds: number
  readonly rounds: number
  /** How many clients are tried to find where each figure is best. */
  readonly pgClients: readonly number[]
  readonly httpConnections: readonly number[]
  readonly tpcbScale: number
  readonly fsyncTest: boolean
  readonly parts: readonly Part[]
  /** How many payments the merchants of the lists have, the fewest first. */
  readonly sizes: readonly number[]
  readonly listRounds: number
  /** How many are created while memory is looked at. */
  readonly created: number
}

const parts = ['creates', 'lives', 'sign-in', 'webhooks', 'memory', 'lists'] as const
type Part = (typeof parts)[number]

export const merchants = 100

export const usage = `npm run bench -- [--quick] [--only creates|lives|sign-in|webhooks|memory|lists] [--seconds N] [--rounds N] [--rows N]

  --quick      two minutes: rounds of 1 s, fewer clients tried, pgbench scale 10, lists of 100,000 payments and
               memory over as many
  --only PART  creates, lives, sign-in, webhooks, memory (over a million payments), or lists
  --seconds N  length of one round of the creates, lives, sign-ins and webhooks (3)
  --rounds N   rounds of each figure of them, interleaved (5)
  --rows N     payments of the bigger merchant of the lists (10,000,000); the smaller one has a tenth`

export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      rows: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { quick } = values
  const rows = whole('--rows', values.rows, quick ? 100_000 : 10_000_000)
  if (rows < 1000) throw new Error('--rows must be at least 1,000')
  return {
    seconds: whole('--seconds', values.seconds, quick ? 1 : 3),
    rounds: whole('--rounds', values.rounds, 5),
    pgClients: quick ? [8, 32, 64] : [1, 2, 4, 8, 16, 32, 64],
    httpConnections: quick ? [32, 128] : [16, 32, 64, 128],
    tpcbScale: quick ? 10 : 50,
    fsyncTest: !quick,
    parts: partsOf(values.only),
    sizes: [Math.floor(rows / 10), rows],
    listRounds: quick ? 20 : 100,
    created: quick ? 100_000 : 1_000_000,
  }
}

function partsOf(only: string | undefined): readonly Part[] {
  if (only === undefined) return parts
  const part = parts.find((each) => each === only)
  if (!part) throw new Error(`--only must be one of ${parts.join(', ')}`)
  return [part]
}

function whole(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1`)
  return value
}
