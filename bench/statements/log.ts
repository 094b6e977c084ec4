/** Processor time of PostgreSQL, in microseconds. */
export interface StatementCost {
  /** The tables that it writes, or reads if it writes none. */
  readonly name: string
  readonly calls: number
  /** Parameters and plan: the times of `parse` and `bind`. */
  readonly prepared: number
  readonly executed: number
}

/** One entry of `log_statement_stats`, with the text of its statement. */
const entry =
  /LOG: {2}(PARSE|BIND|EXECUTE|QUERY)(?: MESSAGE)? STATISTICS\n[^\n]*DETAIL: {2}! system usage stats:\n\t!\t([\d.]+) s user, ([\d.]+) s system[\s\S]*?STATEMENT: {2}([\s\S]*?)\n(?=\d{4}-\d\d-\d\d |$)/g

/** Functions in the places of tables. */
const functions = new Set(['unnest', 'json_to_recordset', 'json_each_text'])

/** The costs of the statements in a log, the most expensive first. */
export function costsIn(log: string): StatementCost[] {
  const costs = new Map<string, { calls: number; prepared: number; executed: number }>()
  for (const [, step = '', user, system, text = ''] of log.matchAll(entry)) {
    const name = nameOf(text)
    const cost = costs.get(name) ?? { calls: 0, prepared: 0, executed: 0 }
    costs.set(name, cost)
    const isRun = step === 'EXECUTE' || step === 'QUERY'
    cost[isRun ? 'executed' : 'prepared'] += (Number(user) + Number(system)) * 1e6
    if (isRun) cost.calls += 1
  }
  return [...costs]
    .map(([name, cost]) => ({ name, ...cost }))
    .sort((a, b) => b.prepared + b.executed - a.prepared - a.executed)
}

function nameOf(text: string): string {
  const statement = text.replaceAll('"', '').replace(/\s+/g, ' ').trim()
  const found = (pattern: RegExp) => [
    ...new Set([...statement.matchAll(pattern)].map(([, table = '']) => table)),
  ]
  const written = found(/(?:insert into|delete from|(?<!for |no key |do )\bupdate) ([a-z_]+)/g)
  if (written.length > 0) return `writes ${written.join(', ')}`
  const called = found(/\b(aggregate_\w+)\(/g)
  if (called.length > 0) return `calls ${called.join(', ')}`
  const read = found(/(?:from|join) ([a-z_]+)\b(?! as| \()/g).filter((each) => !functions.has(each))
  return read.length > 0 ? `reads ${read.join(', ')}` : statement.slice(0, 40).toLowerCase()
}
