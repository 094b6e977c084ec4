import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export type Figure = readonly [name: string, value: string | number]

/** The result of a drill: its figures, and everything that it found wrong. */
export interface DrillReport {
  readonly figures: readonly Figure[]
  readonly findings: readonly { readonly kind: string; readonly text: string }[]
  /** Answers that no client should receive, and processes that did not exit in order. */
  readonly problems?: readonly string[]
}

interface InDirectory {
  /** It contains the database and the logs, and is kept only when the drill found something. */
  readonly directory: string
}

/** Runs a drill in a temporary directory. The directory of a drill that fails or finds something is kept. */
export async function inDrillDirectory<Report extends Pick<DrillReport, 'findings' | 'problems'>>(
  name: string,
  run: (directory: string) => Promise<Report>,
): Promise<Report & InDirectory> {
  const directory = mkdtempSync(path.join(tmpdir(), `muripo-${name}-`))
  // PostgreSQL runs under another account, which has to enter the directory.
  chmodSync(directory, 0o711)
  const report = await run(directory)
  if (report.findings.length + (report.problems ?? []).length === 0)
    rmSync(directory, { recursive: true, force: true })
  return { ...report, directory }
}

/** Prints one line about the progress of a drill, apart from its report. */
export const logProgress = (line: string): void => console.error(`  ${line}`)

export function printFigures(figures: readonly Figure[], width: number): void {
  for (const [name, value] of figures) console.log(`${name.padEnd(width)}${value}`)
}

const SHOWN = 50

/** Prints the findings and where the files of the drill are, and sets exit code 1; prints nothing without a finding. */
export function printFindings(
  { findings, problems = [], directory }: Omit<DrillReport, 'figures'> & InDirectory,
  files: string,
): void {
  for (const { kind, text } of findings.slice(0, SHOWN)) console.log(`${kind}: ${text}`)
  for (const problem of problems.slice(0, SHOWN)) console.log(`problem: ${problem}`)
  if (findings.length + problems.length === 0) return
  console.log(`${files} are in ${directory}`)
  process.exitCode = 1
}

/** The number of findings of each kind. */
export const countFindings = (
  findings: DrillReport['findings'],
  kinds: readonly string[] = ['lost', 'duplicated', 'half done', 'unresolved'],
): Figure[] => kinds.map((kind) => [kind, findings.filter((finding) => finding.kind === kind).length])
