import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { repository } from './lib/repository.ts'

/** Each slice has a database of its own, which is in memory where there is room. */
const SLICE = 10_000
const DEFAULT_SEED = 20_261_121
const FILES = 'apps/server/src/modules/payments/model'

export interface Slice {
  readonly firstSeed: number
  readonly sequences: number
}

/** @throws when the options are no positive whole numbers */
export function slicesOf(args: readonly string[]): Slice[] {
  const options = { sequences: { type: 'string' }, seed: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...args], options })
  const sequences = wholeNumber('sequences', values.sequences ?? '10000')
  const seed = wholeNumber('seed', values.seed ?? String(DEFAULT_SEED))
  return Array.from({ length: Math.ceil(sequences / SLICE) }, (_, nth) => ({
    firstSeed: seed + nth * SLICE,
    sequences: Math.min(SLICE, sequences - nth * SLICE),
  }))
}

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text)
  throw new Error(`--${name} is a whole number above 0.`)
}

/** Random lives of payments, as many as asked for; `npm test` runs 4,000 of them. The first violation ends the run. */
function run(slices: readonly Slice[]): number {
  const startedAt = performance.now()
  let done = 0
  for (const { firstSeed, sequences } of slices) {
    const { status } = spawnSync('npx', ['vitest', 'run', FILES], {
      cwd: repository,
      stdio: 'inherit',
      env: { ...process.env, MURIPO_SEQUENCES: String(sequences), MURIPO_FIRST_SEED: String(firstSeed) },
    })
    if (status !== 0) {
      console.error(`An invariant is violated among the ${sequences} sequences from seed ${firstSeed}.`)
      return 1
    }
    done += sequences
    const seconds = (performance.now() - startedAt) / 1000
    console.log(`${done} sequences in ${seconds.toFixed(0)} s: no invariant is violated.`)
  }
  return 0
}

if (import.meta.main) {
  try {
    process.exitCode = run(slicesOf(process.argv.slice(2)))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  }
}
