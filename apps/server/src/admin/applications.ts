import { ApplicationId } from '@muripo/contract/ids'
import { resumeApplication, revokeKey, stopApplication } from '../modules/applications/index.ts'
import { merchantReasonIn, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { ctxOfApplication } from './find.ts'

const parameters = ['APPLICATION'] as const
const options = { reason: 'TEXT' } as const

export const applicationCommands: readonly Command[] = [
  {
    words: 'applications stop',
    parameters,
    options,
    does: 'refuse the keys and the payers of an application at once, until an operator resumes it',
    run: (context, args) =>
      change(context, args, {
        run: (ctx, order) => stopApplication(ctx, context.operator, order),
        done: (id) => `${id} is stopped.`,
        unchanged: (id) => `${id} was stopped already.`,
      }),
  },
  {
    words: 'applications resume',
    parameters,
    options,
    does: 'resume a stopped application with the status that its owner had set',
    run: (context, args) =>
      change(context, args, {
        run: (ctx, order) => resumeApplication(ctx, context.operator, order),
        done: (id) => `${id} goes on.`,
        unchanged: (id) => `${id} was not stopped by an operator.`,
      }),
  },
  {
    words: 'keys revoke',
    parameters,
    options,
    optional: { mode: 'test|live' },
    does: 'revoke the key of an application at once; the owner makes another one on the dashboard',
    async run(context, args) {
      const mode = modeIn(args.options.mode, context.ctx.config.keyMode)
      return change(context, args, {
        run: (ctx, order) => revokeKey(ctx, context.operator, { ...order, mode }),
        done: (id) => `The ${mode} key of ${id} is revoked.`,
        unchanged: (id) => `${id} has no ${mode} key.`,
      })
    },
  },
]

interface Change {
  readonly run: (
    ctx: OperatorContext['ctx'],
    order: { readonly applicationId: ApplicationId; readonly reason: string },
  ) => Promise<string>
  readonly done: (id: ApplicationId) => string
  readonly unchanged: (id: ApplicationId) => string
}

/** Changes the application that a command names, and returns the result in words. */
async function change(context: OperatorContext, args: CommandArguments, { run, done, unchanged }: Change) {
  const id = typedId(ApplicationId, 'an application', args.values[0])
  const order = { applicationId: id, reason: merchantReasonIn(args.options) }
  const ctx = await ctxOfApplication(context, id)
  const result = ctx === null ? 'none' : await run(ctx, order)
  if (result === 'none')
    throw new Refused(`There is no application ${id}: merchants show lists those of a merchant.`)
  return result === 'done'
    ? `${done(id)} The merchant receives an email.`
    : `${unchanged(id)} Nothing has changed.`
}

/** Without an option, the mode of the gateway. */
function modeIn(text: string | undefined, gateway: 'test' | 'live'): 'test' | 'live' {
  const mode = text ?? gateway
  if (mode !== 'test' && mode !== 'live') throw new UsageError('--mode is test or live.')
  if (mode === 'live' && gateway === 'test')
    throw new UsageError('This gateway is for tests: it has no live keys.')
  return mode
}
