import { ApplicationId } from '@muripo/contract/ids'
import { findMerchantOf } from '../modules/applications/index.ts'
import type { KeyMode } from '../platform/settings.ts'
import { merchantReasonIn, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { decideOrPropose } from './decide.ts'

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
        kind: 'application.stop',
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
        kind: 'application.resume',
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
        kind: 'key.revoke',
        mode,
        done: (id) => `The ${mode} key of ${id} is revoked.`,
        unchanged: (id) => `${id} has no ${mode} key.`,
      })
    },
  },
]

interface Change {
  readonly kind: 'application.stop' | 'application.resume' | 'key.revoke'
  /** Of a key. */
  readonly mode?: KeyMode
  readonly done: (id: ApplicationId) => string
  readonly unchanged: (id: ApplicationId) => string
}

/** Changes the application that a command names, and returns the result in words. */
async function change(
  context: OperatorContext,
  args: CommandArguments,
  { kind, mode = 'test', done, unchanged }: Change,
) {
  const applicationId = typedId(ApplicationId, 'an application', args.values[0])
  const reason = merchantReasonIn(args.options)
  const merchantId = await findMerchantOf(context.ctx.db.kysely, applicationId)
  const unknown = new Refused(
    `There is no application ${applicationId}: merchants show lists those of a merchant.`,
  )
  if (merchantId === null) throw unknown
  const payload = { merchantId, applicationId, reason, mode }
  return decideOrPropose(context, kind, { payload, reason }, (result) => {
    if (result === 'none') throw unknown
    return result === 'done'
      ? `${done(applicationId)} The merchant receives an email.`
      : `${unchanged(applicationId)} Nothing has changed.`
  })
}

/** Without an option, the mode of the gateway. */
function modeIn(text: string | undefined, gateway: 'test' | 'live'): 'test' | 'live' {
  const mode = text ?? gateway
  if (mode !== 'test' && mode !== 'live') throw new UsageError('--mode is test or live.')
  if (mode === 'live' && gateway === 'test')
    throw new UsageError('This gateway is for tests: it has no live keys.')
  return mode
}
