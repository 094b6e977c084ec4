interface DrillReport {
  readonly figures: readonly (readonly [name: string, value: string | number])[]
  readonly findings: readonly { readonly kind: string; readonly text: string }[]
  /** Answers that no client should see, and processes that did not end in order. */
  readonly problems?: readonly string[]
  readonly directory: string
}

const SHOWN = 50

export function printFigures({ figures }: Pick<DrillReport, 'figures'>, width: number): void {
  for (const [name, value] of figures) console.log(`${name.padEnd(width)}${value}`)
}

/** Prints what the drill found, where it left its files, and ends the process with 1; nothing without a finding. */
export function printFindings(
  { findings, problems = [], directory }: Omit<DrillReport, 'figures'>,
  files: string,
): void {
  for (const { kind, text } of findings.slice(0, SHOWN)) console.log(`${kind}: ${text}`)
  for (const problem of problems.slice(0, SHOWN)) console.log(`problem: ${problem}`)
  if (findings.length + problems.length === 0) return
  console.log(`${files} are in ${directory}`)
  process.exitCode = 1
}
