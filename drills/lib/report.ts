import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { webBuilt } from '../../scripts/lib/web-build.ts'

export type Figure = readonly [name: string, value: string | number]

/** The result of a drill: its figures, and everything that it found wrong. */
export interface DrillReport {
  readonly figures: readonly Figure[]
  /** Lines below the figures. */
  readonly details?: readonly string[]
  readonly findings: readonly { readonly kind: string; readonly text: string }[]
  /** Answers that no client should receive, and processes that did not exit in order. */
  readonly problems?: readonly string[]
}

/** Runs a drill and prints its report. Sets exit code 1 when the drill found something. */
export async function runDrill(name: string, run: RunIn): Promise<void> {
  await webBuilt()
  const isClean = await reportDrill(name, run)
  if (!isClean) process.exitCode = 1
}

type RunIn = (directory: string) => Promise<DrillReport>

/**
 * Runs a drill in a temporary directory for its database and logs. The directory is kept when the drill fails or finds something.
 * @returns whether the drill found nothing
 */
export async function reportDrill(name: string, run: RunIn): Promise<boolean> {
  const directory = mkdtempSync(path.join(tmpdir(), `muripo-${name}-`))
  // PostgreSQL runs under another account, which has to enter the directory.
  chmodSync(directory, 0o711)
  const { figures, details = [], findings, problems = [] } = await run(directory)
  printFigures(figures)
  for (const line of details) console.log(line)
  for (const { kind, text } of findings.slice(0, SHOWN)) console.log(`${kind}: ${text}`)
  for (const problem of problems.slice(0, SHOWN)) console.log(`problem: ${problem}`)
  const isClean = findings.length + problems.length === 0
  if (isClean) rmSync(directory, { recursive: true, force: true })
  else console.log(`The files of the drill are in ${directory}`)
  return isClean
}

/** Findings and problems that are printed, of each. */
const SHOWN = 50

export function printFigures(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(([name]) => name.length)) + 2
  for (const [name, value] of figures) console.log(`${name.padEnd(width)}${value}`)
}

/** Prints one line about the progress of a drill, apart from its report. */
export const logProgress = (line: string): void => console.error(`  ${line}`)

/** The number of findings of each kind. */
export const countFindings = (
  findings: DrillReport['findings'],
  kinds: readonly string[] = ['lost', 'duplicated', 'half done', 'unresolved'],
): Figure[] => kinds.map((kind) => [kind, findings.filter((finding) => finding.kind === kind).length])
