import { cleanEmail } from '@muripo/contract/typed-text'
import { endSessions } from '../modules/identity/index.ts'
import { type Command, Refused } from './command.ts'
import { oneLine } from './print.ts'

export const sessionCommands: readonly Command[] = [
  {
    words: 'sessions end',
    parameters: ['EMAIL'],
    does: 'end all sessions of a merchant at once; the merchant can sign in again',
    async run({ ctx, operator }, { values: [email = ''] }) {
      const ended = await endSessions(ctx, operator, cleanEmail(email))
      if (ended === null) throw new Refused(`Nobody has an account with the email ${oneLine(email)}.`)
      return ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.`
    },
  },
]
