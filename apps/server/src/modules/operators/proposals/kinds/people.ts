import type { Queryable } from '../../../../platform/db/database.ts'
import { authenticatorOf, findAccountOf, maskedEmail, removeAuthenticator } from '../../../identity/index.ts'
import { addOperator, changeRole, removeOperator } from '../../people/actions/manage-operators.ts'
import { linkMail } from '../../people/emails.ts'
import { operatorByEmail, requireTwo } from '../../people/store-operators.ts'
import { withdrawProposalsOf } from '../actions/withdraw-all.ts'
import type {
  KindTypes,
  NewOperatorPayload,
  OperatorPayload,
  PersonPayload,
  RolePayload,
} from '../payloads.ts'
import { type ImmediateKind, type Kind, line, missing, notPossible, refused } from './kind.ts'

const accountOf = () => null

export const authenticatorKind: Kind<PersonPayload, KindTypes['person.remove_authenticator']['result']> = {
  accountOf,
  async describe(ctx, payload) {
    const { personId } = payload
    const version = await authenticatorOf(ctx.db.kysely, personId)
    const account = await findAccountOf(ctx.db.kysely, personId)
    if (account === null) throw missing('There is no person with this id')
    if (version === null) throw refused('The person has no authenticator app', 'subject')
    return {
      payload,
      subject: personId,
      accountId: null,
      version,
      about: `${account.fullname}, ${maskedEmail(account.email)}`,
      diff: [
        {
          label: 'App',
          from: `since ${version.slice(0, 10)}`,
          to: 'removed, with its recovery codes',
        },
      ],
    }
  },
  versionIn: async (tx, { personId }) => (await authenticatorOf(tx, personId)) ?? 'none',
  execute: (ctx, actor, { personId, reason }) => removeAuthenticator(ctx, actor, personId, reason),
  isDone: (result) => result === true,
  whyNot: (isRemoved) => (isRemoved ? null : notPossible),
}

const operatorVersion = async (q: Queryable, { email }: OperatorPayload): Promise<string> => {
  const operator = await operatorByEmail(q, email)
  return operator === null ? 'none' : `${operator.id} ${operator.role}`
}

/** The link goes to the new operator by email: nobody who decides can use it. */
export const addOperatorKind: Kind<NewOperatorPayload, KindTypes['operator.add']['result']> = {
  accountOf,
  async describe(ctx, payload) {
    const { email, name, role } = payload
    const present = await operatorByEmail(ctx.db.kysely, email)
    if (present !== null && present.role !== role)
      throw refused(`${email} is an operator with the role ${present.role}: change the role`)
    return {
      payload,
      subject: email,
      accountId: null,
      version: await operatorVersion(ctx.db.kysely, payload),
      about: `${name} <${email}>`,
      diff: [
        { label: 'Role', from: present?.role ?? null, to: role },
        ...(present ? [line('Link', 'another one, by email')] : []),
      ],
    }
  },
  versionIn: operatorVersion,
  execute: (ctx, actor, person) =>
    addOperator(ctx, actor, person, (tx, added) => ctx.mailer.send(tx, linkMail(added))),
  isDone: (result) => result !== null,
  whyNot: (added) => (added === null ? notPossible : null),
}

export const roleKind: Kind<RolePayload, KindTypes['operator.role']['result']> = {
  accountOf,
  async describe(ctx, payload) {
    const { email, role } = payload
    const operator = await operatorByEmail(ctx.db.kysely, email)
    if (operator === null) throw missing('Nobody with this email is an operator')
    if (operator.role === role) throw refused(`${email} has the role ${role} already`)
    return {
      payload,
      subject: email,
      accountId: null,
      version: `${operator.id} ${operator.role}`,
      about: `${operator.name} <${email}>`,
      diff: [line('Role', role, operator.role)],
    }
  },
  versionIn: operatorVersion,
  execute: (ctx, actor, { email, role }) => changeRole(ctx, actor, email, role, withdrawProposalsOf),
  isDone: (result) => result === true,
  whyNot: (isChanged) => (isChanged ? null : notPossible),
}

/** Two operators remain, so that nobody who removes the others decides alone. The command line removes the last but one. */
export const removeOperatorKind: ImmediateKind<OperatorPayload, KindTypes['operator.remove']['result']> = {
  accountOf,
  async execute(ctx, actor, { email }) {
    const removed = await removeOperator(ctx, actor, email, async (inside, tx, by, id) => {
      await withdrawProposalsOf(inside, tx, by, id)
      await requireTwo(tx)
    })
    return removed !== null
  },
  whyNot: (isRemoved) => (isRemoved === true ? null : 'Nobody with this email is an operator'),
}
