import { cleanEmail } from '@muripo/contract/typed-text'
import { accountByEmail } from '../modules/identity/index.ts'
import { reasonIn } from './arguments.ts'
import { type Command, Refused } from './command.ts'
import { decideOrPropose } from './decide.ts'
import { oneLine } from './print.ts'

export const personCommands: readonly Command[] = [
  {
    words: 'persons remove-authenticator',
    parameters: ['EMAIL'],
    options: { reason: 'TEXT' },
    does: 'remove the lost authenticator app of a person, with its recovery codes: sign-ins need a mailed code again',
    async run(context, { values: [text = ''], options }) {
      const reason = reasonIn(options)
      const account = await accountByEmail(context.ctx.db.kysely, cleanEmail(text))
      if (account === null) throw new Refused(`Nobody has an account with the email ${oneLine(text)}.`)
      const payload = { personId: account.personId, reason }
      return decideOrPropose(context, 'person.remove_authenticator', { payload, reason }, (isRemoved) => {
        if (!isRemoved) throw new Refused(`${account.email} has no authenticator app. Nothing has changed.`)
        return `The authenticator app of ${account.email} is removed, with its recovery codes. The person receives an email.`
      })
    },
  },
]
