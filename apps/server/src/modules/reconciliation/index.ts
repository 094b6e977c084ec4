export { importStatement } from './statements/actions/import-statement.ts'
export { discardStatement, resolveRow } from './statements/actions/resolve-partial.ts'
export { setSource } from './statements/actions/set-source.ts'
export { decimalText, readAmount, Unreadable } from './statements/amounts.ts'
export type { TypedFacts } from './statements/check-statement.ts'
export { readMoment } from './statements/dates.ts'
export { LineKind, SourceDefinition } from './statements/mapping.ts'
export { StatementRefused } from './statements/statement.ts'
export { listSources, type StatementSource } from './statements/store-sources.ts'
export {
  findStatement,
  linesOf,
  listStatements,
  type StoredStatement,
  unreadOf,
} from './statements/store-statements.ts'
