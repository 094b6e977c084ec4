import type { Me } from '@muripo/contract/console'
import type { Ctx } from '../../../platform/ctx.ts'
import { countOperators } from '../people/store-operators.ts'

export type FourEyes = Me['fourEyes']

/** Whether two operators make the decisions: from the second operator on, unless the setting turns it off. */
export async function fourEyesOf({ config, db }: Pick<Ctx, 'config' | 'db'>): Promise<FourEyes> {
  if (config.fourEyes === 'off') return 'off'
  return (await countOperators(db.kysely)) >= 2 ? 'on' : 'one_operator'
}

/** The warning of the command line, of doctor and of the console; null while two operators decide. */
export function fourEyesWarning(state: FourEyes): string | null {
  if (state === 'on') return null
  return state === 'off'
    ? 'FOUR_EYES=off: one person decides alone, and every audit entry of an operator is marked'
    : 'Fewer than two operators: one person decides alone. Add operators with operators add'
}

/** The marks of every audit entry of an operator. */
export const fourEyesMarks = ({ config }: Pick<Ctx, 'config'>) =>
  config.fourEyes === 'off' ? { marks: { four_eyes: 'off' } } : {}
