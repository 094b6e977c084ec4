import { ApplicationId } from '@muripo/contract/ids'
import { resumeApplication, revokeKey, stopApplication } from '../modules/applications/index.ts'
import { parseId } from '../platform/ids.ts'
import { type Command, type CommandArguments, Refused, UsageError } from './command.ts'
import { ctxOfApplication } from './find-merchant.ts'
import { oneLine, reasonIn } from './print.ts'

const parameters = ['APPLICATION'] as const
const options = { reason: 'TEXT' } as const

export const applicationCommands: readonly Command[] = [
  {
    words: 'applications stop',
    parameters,
    options,
    does: 'refuse its keys and its payers, at once, until you resume it; its owner cannot',
    async run(context, args) {
      const order = { applicationId: idIn(args), reason: reasonIn(args) }
      const ctx = await ctxOfApplication(context, order.applicationId)
      const stopped = ctx === null ? 'none' : await stopApplication(ctx, context.operator, order)
      if (stopped === 'none') throw noApplication(order.applicationId)
      return stopped === 'done'
        ? `${order.applicationId} is stopped. The merchant receives an email.`
        : `${order.applicationId} was stopped already. Nothing has changed.`
    },
  },
  {
    words: 'applications resume',
    parameters,
    options,
    does: 'let a stopped application go on, as its owner had it',
    async run(context, args) {
      const order = { applicationId: idIn(args), reason: reasonIn(args) }
      const ctx = await ctxOfApplication(context, order.applicationId)
      const resumed = ctx === null ? 'none' : await resumeApplication(ctx, context.operator, order)
      if (resumed === 'none') throw noApplication(order.applicationId)
      return resumed === 'done'
        ? `${order.applicationId} goes on. The merchant receives an email.`
        : `${order.applicationId} was not stopped by an operator. Nothing has changed.`
    },
  },
  {
    words: 'keys revoke',
    parameters,
    options,
    optional: { mode: 'test|live' },
    does: "revoke the application's key, at once; its owner makes another one on the dashboard",
    async run(context, args) {
      const applicationId = idIn(args)
      const mode = modeIn(args.options.mode, context.ctx.config.keyMode)
      const order = { applicationId, mode, reason: reasonIn(args) }
      const ctx = await ctxOfApplication(context, applicationId)
      const revoked = ctx === null ? 'none' : await revokeKey(ctx, context.operator, order)
      if (revoked === 'none') throw noApplication(applicationId)
      return revoked === 'done'
        ? `The ${mode} key of ${applicationId} is revoked. The merchant receives an email.`
        : `${applicationId} has no ${mode} key. Nothing has changed.`
    },
  },
]

function idIn({ values: [text = ''] }: CommandArguments): ApplicationId {
  const id = parseId(ApplicationId, text)
  if (id === null) throw new UsageError(`"${oneLine(text)}" is not the id of an application.`)
  return id
}

/** Without an option, the mode of the gateway. */
function modeIn(text: string | undefined, gateway: 'test' | 'live'): 'test' | 'live' {
  const mode = text ?? gateway
  if (mode !== 'test' && mode !== 'live') throw new UsageError('--mode is test or live.')
  if (mode === 'live' && gateway === 'test')
    throw new UsageError('This gateway is for tests: it has no live keys.')
  return mode
}

const noApplication = (id: ApplicationId): Refused =>
  new Refused(`There is no application ${id}: merchants show lists those of a merchant.`)
