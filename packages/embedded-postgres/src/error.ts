/** A start that failed for a reason the operator can act on: the message is one clear line. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError'
}

export class AlreadyRunningError extends EmbeddedPostgresError {
  override readonly name = 'AlreadyRunningError'

  constructor(dataDir: string) {
    super(`Muripo is already running on this data directory (${dataDir}).`)
  }
}
