import { AsyncLocalStorage } from 'node:async_hooks'

/** The work of one request: whether a transaction of it has been committed, or may have been. */
export interface CommitScope {
  hasCommitted: boolean
}

const scopes = new AsyncLocalStorage<CommitScope>()

export const runInCommitScope = <Result>(scope: CommitScope, run: () => Result): Result =>
  scopes.run(scope, run)

/** Outside of a request it does nothing. */
export function noteCommit(): void {
  const scope = scopes.getStore()
  if (scope) scope.hasCommitted = true
}
