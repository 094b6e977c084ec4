/** One way to back up and restore the database of a gateway. */
export interface Keeper {
  readonly environment: Readonly<Record<string, string>>
  /** The directory of the gateway's data. */
  readonly dataDir: string
  /** Of the owner; null: the gateway runs the database itself. */
  readonly databaseUrl: string | null
  backUp(): Promise<void>
  /** Ends the server, if the gateway does not run it, and removes its data. */
  destroy(): Promise<void>
  restore(to: Date): Promise<void>
  stop(): Promise<void>
}
