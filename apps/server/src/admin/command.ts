import type { GatewayConfig } from '../gateway-config.ts'
import type { Actor } from '../platform/audit/actor.ts'
import type { Ctx } from '../platform/ctx.ts'
import type { PerDatabase } from '../platform/db/databases.ts'
import type { Environment } from '../platform/settings.ts'

/** The gateway's context and the operator who runs a command on it. */
export interface OperatorContext {
  readonly ctx: Ctx & { readonly config: GatewayConfig }
  /** The contexts in which commands change the rows of accounts. */
  readonly ctxs: PerDatabase<OperatorContext['ctx']>
  readonly operator: Actor
  /** The directory to which file names are relative. */
  readonly directory: string
  /** Reads standard input to its end; null at a terminal, which would show a secret. */
  readonly input: (() => Promise<string>) | null
  /** Writes a line to standard error, beside the result. */
  warn(line: string): void
}

/** Parameters and options of a command. */
export interface CommandArguments {
  /** One value for each parameter of the command. */
  readonly values: readonly string[]
  readonly options: Readonly<Record<string, string | undefined>>
  readonly flags: ReadonlySet<string>
}

interface CommandLine {
  /** For example `banking list`. */
  readonly words: string
  readonly parameters?: readonly string[]
  /** Required options, each with the name of its value in the help. */
  readonly options?: Readonly<Record<string, string>>
  /** Optional options. */
  readonly optional?: Readonly<Record<string, string>>
  /** Optional options without a value. */
  readonly flags?: readonly string[]
  /** One line of help. */
  readonly does: string
}

/** A command on the database of a running gateway. */
export interface OnlineCommand extends CommandLine {
  /** Returns the text to print. */
  run(context: OperatorContext, args: CommandArguments): Promise<string>
}

/** A result with an exit code of its own, printed on standard output in any case. */
export interface Report {
  readonly code: 0 | 1 | 2
  readonly output: string
}

/** A command that needs no running gateway and only some of its settings. */
export interface OfflineCommand extends CommandLine {
  /** Returns the text to print. */
  runOffline(env: Environment, args: CommandArguments): Promise<string | Report>
}

export type Command = OnlineCommand | OfflineCommand

/** The line is not a command; the help lists the commands. */
export class UsageError extends Error {}

/** The command cannot be executed; the message contains the reason and the remedy. */
export class Refused extends Error {}
