import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether a transaction of one request has committed, or may have committed. */
export interface CommitScope {
  hasCommitted: boolean
}

const scopes = new AsyncLocalStorage<CommitScope>()

export const runInCommitScope = <Result>(scope: CommitScope, run: () => Result): Result =>
  scopes.run(scope, run)

/** Outside of a request this function does nothing. */
export function noteCommit(): void {
  const scope = scopes.getStore()
  if (scope) scope.hasCommitted = true
}
