import { parseGatewayConfig } from '../gateway-config.ts'
import { fourEyesMarks } from '../modules/operators/index.ts'
import { type Actor, operatorActor } from '../platform/audit/actor.ts'
import { readDatabases } from '../platform/db/databases.ts'
import { ConfigError } from '../platform/settings.ts'
import { databaseError, messageOf } from '../startup-error.ts'
import { type OperatorContext, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { openCtx, runningDatabaseUrl } from './context.ts'
import { helpText, parseCommand } from './parse-command.ts'
import { oneLine } from './print.ts'

/** The terminal of a command. */
export interface Terminal {
  readonly account: string
  readonly machine: string
  /** The words with which an operator starts a command here. The texts name commands of a checkout. */
  readonly program?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input?: OperatorContext['input']
  readonly warn?: OperatorContext['warn']
}

export interface Result {
  /** 0 done, 1 failed, 2 not understood. */
  readonly code: 0 | 1 | 2
  /** For standard output when the code is 0 or it is a report, else for standard error. */
  readonly output: string
  readonly isReport?: true
}

const inCheckout = 'npm run admin --'

/** Runs one line of a terminal. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<Result> {
  const result = await runLine(argv, terminal)
  return { ...result, output: result.output.replaceAll(inCheckout, terminal.program ?? inCheckout) }
}

async function runLine(argv: readonly string[], terminal: Terminal): Promise<Result> {
  try {
    const parsed = parseCommand(argv, commands)
    if (parsed === null) return { code: 0, output: helpText(commands) }
    const { command, args } = parsed
    if ('runOffline' in command) {
      const result = await command.runOffline(terminal.env, args)
      return typeof result === 'string' ? { code: 0, output: result } : { ...result, isReport: true }
    }
    const operator = operatorAt(terminal, parsed.as)
    // npm runs a script in the folder of the repository and passes the caller's folder in INIT_CWD.
    const directory = terminal.env.INIT_CWD ?? '.'
    const config = parseGatewayConfig(terminal.env)
    const ctx = await openCtx(config)
    try {
      const databases = await readDatabases(runningDatabaseUrl(config))
      const { close, ...pools } = databases.openSinglePools(ctx)
      const ctxs = pools.map((each) => ({ ...ctx, ...each }))
      const context = {
        ctx,
        ctxs,
        operator: { ...operator, ...fourEyesMarks(ctx) },
        directory,
        input: terminal.input ?? null,
        warn: terminal.warn ?? (() => undefined),
      }
      return { code: 0, output: await command.run(context, args).finally(close) }
    } finally {
      await ctx.db.close()
    }
  } catch (error) {
    return resultOf(error)
  }
}

function operatorAt({ account, machine }: Terminal, as: string | null): Actor {
  const name = oneLine(as ?? account)
  if (name === '' || name.length > 100) throw new UsageError('--as needs a name of at most 100 characters.')
  return operatorActor(name, `${account}@${machine}`)
}

function resultOf(error: unknown): Result {
  if (error instanceof UsageError) return { code: 2, output: `${error.message}\nSee: ${inCheckout} help` }
  if (error instanceof ConfigError) {
    return { code: 1, output: ['This needs the environment of the gateway:', ...error.problems].join('\n') }
  }
  return { code: 1, output: databaseError(error) ?? messageOf(error) }
}
