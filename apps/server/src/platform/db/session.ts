import pg from 'pg'
import { isConnectionLost, isFatalToSession, OutcomeUnknownError } from './failures.ts'

/** Members of pg that its types leave out. */
interface Wire {
  on(event: 'parameterStatus', listener: (status: ParameterStatus) => void): void
}

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

interface Notice {
  readonly code?: string | undefined
  readonly routine?: string | undefined
  readonly message?: string | undefined
}

type Callback = (error: unknown, result?: unknown) => void
type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown

/**
 * The server committed locally and stopped waiting for its synchronous standby, so a failover may lose the commit. The routine is the same
 * in every language of the server; the message is not.
 */
const isReplicationWarning = ({ routine, message }: Notice): boolean =>
  routine === 'SyncRepWaitForLSN' || /wait for synchronous replication/.test(message ?? '')

/** A statement outside of a transaction commits implicitly, except for the statement that opens a transaction. */
function isCommitting(config: unknown, transaction: string | null): boolean {
  const text = typeof config === 'string' ? config : (config as { text?: unknown }).text
  const [, verb] =
    /^\s*(commit|end|begin|start transaction)\b/i.exec(typeof text === 'string' ? text : '') ?? []
  return verb === undefined ? transaction === 'I' : /^[ce]/i.test(verb)
}

/**
 * A session that distinguishes an unknown outcome from a failure, and that is not used again after its server became a standby. A
 * connection that is lost during a statement that does not commit rolls its transaction back.
 */
export class Session extends pg.Client {
  #isUnreplicated = false
  #isUnusable = false

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('notice', (notice) => {
      this.#isUnreplicated ||= isReplicationWarning(notice)
    })
    const { connection } = this as unknown as { readonly connection: Wire }
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isUnusable = parameterValue === 'on'
    })
    this.query = this.#watch(super.query.bind(this) as Query) as typeof this.query
  }

  /** The server is a standby, or refused a write because it is read-only. */
  get isUnusable(): boolean {
    return this.#isUnusable
  }

  #watch(query: Query): Query {
    return (config, values, callback) => {
      const mayCommit = isCommitting(config, this.getTransactionStatus())
      const withFailure =
        (done: Callback): Callback =>
        (error, result) => {
          const failure = this.#failureOf(error, mayCommit)
          return failure ? done(failure) : done(error, result)
        }
      if (typeof values === 'function') return query(config, withFailure(values as Callback))
      if (typeof callback === 'function') return query(config, values, withFailure(callback as Callback))
      const result = query(config, values)
      if (!(result instanceof Promise)) return result
      return new Promise((resolve, reject) => {
        const done = withFailure((error, value) => (error ? reject(error) : resolve(value)))
        result.then((value) => done(null, value), done)
      })
    }
  }

  #failureOf(error: unknown, mayCommit: boolean): unknown {
    const isUnreplicated = this.#isUnreplicated
    this.#isUnreplicated = false
    if (isFatalToSession(error)) this.#isUnusable = true
    if (isUnreplicated) return new OutcomeUnknownError(error ?? new Error('The commit was not replicated'))
    return mayCommit && isConnectionLost(error) ? new OutcomeUnknownError(error) : error
  }
}
