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
}

export const merchants = 100

export const usage = `npm run bench -- [--quick] [--seconds N] [--rounds N]

  --quick      about a minute: rounds of 1 s, fewer clients tried, pgbench scale 10
  --seconds N  length of one round (3)
  --rounds N   rounds of each figure, interleaved (5)`

export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { quick } = values
  return {
    seconds: whole('--seconds', values.seconds, quick ? 1 : 3),
    rounds: whole('--rounds', values.rounds, 5),
    pgClients: quick ? [8, 32, 64] : [1, 2, 4, 8, 16, 32, 64],
    httpConnections: quick ? [32, 128] : [16, 32, 64, 128],
    tpcbScale: quick ? 10 : 50,
    fsyncTest: !quick,
  }
}

function whole(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1`)
  return value
}
