import { type Actor, operatorActor } from '../platform/audit/actor.ts'
import { ConfigError, parseConfig } from '../platform/config.ts'
import { databaseFault, messageOf } from '../platform/start-fault.ts'
import { UsageError } from './command.ts'
import { commands } from './commands.ts'
import { openCtx } from './desk.ts'
import { helpText, orderIn } from './dispatch.ts'
import { oneLine } from './print.ts'

/** Where the command is typed. */
export interface Terminal {
  readonly account: string
  readonly machine: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Result {
  /** 0 done, 1 not done, 2 not understood. */
  readonly code: 0 | 1 | 2
  /** For standard output when it is done, else for standard error. */
  readonly says: string
}

/** Does what was typed. */
export async function operate(argv: readonly string[], terminal: Terminal): Promise<Result> {
  try {
    const order = orderIn(argv, commands)
    if (order === null) return { code: 0, says: helpText(commands) }
    const operator = operatorAt(terminal, order.as)
    // npm runs a script in the folder of the repository, and says where it was called.
    const directory = terminal.env.INIT_CWD ?? '.'
    const ctx = await openCtx(parseConfig(terminal.env))
    try {
      return { code: 0, says: await order.command.run({ ctx, operator, directory }, order.given) }
    } finally {
      await ctx.db.close()
    }
  } catch (error) {
    return faultOf(error)
  }
}

function operatorAt({ account, machine }: Terminal, as: string | null): Actor {
  const name = oneLine(as ?? account)
  if (name === '' || name.length > 100) throw new UsageError('--as needs a name of at most 100 characters.')
  return operatorActor(name, `${account}@${machine}`)
}

function faultOf(error: unknown): Result {
  if (error instanceof UsageError) return { code: 2, says: `${error.message}\nSee: npm run admin -- help` }
  if (error instanceof ConfigError) {
    return { code: 1, says: ['This needs the environment of the gateway:', ...error.faults].join('\n') }
  }
  return { code: 1, says: databaseFault(error) ?? messageOf(error) }
}
