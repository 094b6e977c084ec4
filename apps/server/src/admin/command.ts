import type { GatewayConfig } from '../gateway-config.ts'
import type { Actor } from '../platform/audit/actor.ts'
import type { Ctx } from '../platform/ctx.ts'

/** The gateway's context and the operator who runs a command on it. */
export interface OperatorContext {
  readonly ctx: Ctx & { readonly config: GatewayConfig }
  readonly operator: Actor
  /** The directory that names of files are relative to. */
  readonly directory: string
}

/** Parameters and options of a command. */
export interface CommandArguments {
  /** As many as the command has parameters. */
  readonly values: readonly string[]
  readonly options: Readonly<Record<string, string | undefined>>
}

export interface Command {
  /** For example `banking list`. */
  readonly words: string
  readonly parameters?: readonly string[]
  /** Required options, each with the name of its value in the help. */
  readonly options?: Readonly<Record<string, string>>
  /** Optional options. */
  readonly optional?: Readonly<Record<string, string>>
  /** One line of help. */
  readonly does: string
  /** Returns the text to print. */
  run(context: OperatorContext, args: CommandArguments): Promise<string>
}

/** The line is no command; the help lists them. */
export class UsageError extends Error {}

/** The command cannot be done; the message gives the reason and the remedy. */
export class Refused extends Error {}
