import type { Actor } from '../platform/audit/actor.ts'
import type { Ctx } from '../platform/ctx.ts'

/** Where an operator works: the gateway's own ground floor, and who it is that works. */
export interface Desk {
  readonly ctx: Ctx
  readonly operator: Actor
  /** What the names of files start from. */
  readonly directory: string
}

/** What was written after a command's words. */
export interface Given {
  /** As many as the command has parameters. */
  readonly values: readonly string[]
  readonly options: Readonly<Record<string, string | undefined>>
}

export interface Command {
  /** What one types, as `banking list`. */
  readonly words: string
  readonly parameters?: readonly string[]
  /** Options that it needs, each with what stands for its value in the help. */
  readonly options?: Readonly<Record<string, string>>
  /** Options that it can do without. */
  readonly optional?: Readonly<Record<string, string>>
  /** One line of help. */
  readonly does: string
  /** Answers what is printed. */
  run(desk: Desk, given: Given): Promise<string>
}

/** What was typed is no command: the help says what is. */
export class UsageError extends Error {}

/** The command was understood and cannot be done; the message says why and what to do. */
export class Refused extends Error {}
