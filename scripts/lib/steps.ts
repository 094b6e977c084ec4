import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { compileCache, runToEnd } from './child.ts'
import { repository } from './repository.ts'

export interface Counts {
  readonly passed: number
  readonly failed: number
}

export interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** A report of the command with its result; without one the step counts as one. */
  readonly report?: { readonly file: string; readonly count: (report: unknown) => Counts }
}

const bin = path.join(repository, 'node_modules/.bin')

const run = ({ command, args, cwd = repository, environment = {} }: Step) =>
  runToEnd(command, args, {
    cwd,
    env: {
      ...process.env,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      NODE_COMPILE_CACHE: compileCache,
      ...environment,
      PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    },
  })

/** Runs a step and prints one line, or the whole output if it fails. */
export async function take(step: Step): Promise<Counts> {
  if (step.report) rmSync(step.report.file, { force: true })
  const startedAt = performance.now()
  const { code, output } = await run(step)
  const counts = countsOf(step, code)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const number = step.report ? `${counts.passed + counts.failed} tests` : ''
  console.log(
    `${counts.failed === 0 ? '✓' : '✗'} ${step.name.padEnd(28)}${number.padStart(10)}${`${seconds} s`.padStart(10)}`,
  )
  if (counts.failed > 0) console.log(`\n${output.trim()}\n`)
  return counts
}

function countsOf({ report }: Step, code: number): Counts {
  if (!report) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  const counts = existsSync(report.file)
    ? report.count(JSON.parse(readFileSync(report.file, 'utf8')))
    : { passed: 0, failed: 0 }
  // Something outside of any test can fail too: a set-up, a file that does not load.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}
