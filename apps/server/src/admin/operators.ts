import { type OperatorRole, operatorRoles } from '@muripo/contract/console-permissions'
import { ProposalId } from '@muripo/contract/ids'
import { Email } from '@muripo/contract/text'
import { cleanEmail } from '@muripo/contract/typed-text'
import {
  addOperator,
  allOperators,
  approveProposal,
  fourEyesOf,
  fourEyesWarning,
  type Operator,
  operatorsWith,
  type Proposal,
  rejectProposal,
  removeOperator,
  selectProposals,
  withdrawProposalsOf,
} from '../modules/operators/index.ts'
import { textIn, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { deciderOf, decisionCtxOf } from './decide.ts'
import { ageText, block, firstOf, oneLine } from './print.ts'

const SHOWN = 50

export const operatorCommands: readonly Command[] = [
  {
    words: 'operators add',
    parameters: ['EMAIL'],
    options: { role: operatorRoles.join('|') },
    optional: { name: 'NAME' },
    does: 'add an operator of the console, and print the one-time link that registers a passkey; a repetition makes another link',
    run: add,
  },
  {
    words: 'operators list',
    does: 'list the operators, and tell whether decisions need two of them',
    async run({ ctx }) {
      const operators = await allOperators(ctx.db.kysely)
      const warning = fourEyesWarning(await fourEyesOf(ctx))
      const lines = operators.map(operatorText)
      return [...lines, warning ?? 'Two operators make each decision that moves money or trust.'].join('\n')
    },
  },
  {
    words: 'operators remove',
    parameters: ['EMAIL'],
    does: 'remove an operator: sessions and passkeys end at once, and open proposals are withdrawn',
    async run({ ctx, operator }, { values: [email = ''] }) {
      const removed = await removeOperator(ctx, operator, cleanEmail(email), withdrawProposalsOf)
      if (removed === null) throw new Refused(`No operator has the email ${oneLine(email)}.`)
      return `${removed.email} is no operator any more.`
    },
  },
  {
    words: 'proposals list',
    does: 'list the open proposals, the newest first',
    async run({ ctx }) {
      const proposals = await selectProposals(ctx.db.kysely, { state: 'open', limit: SHOWN + 1 })
      if (proposals.length === 0) return 'No proposal is open.'
      const names = await operatorsWith(
        ctx.db.kysely,
        proposals.map(({ proposedBy }) => proposedBy),
      )
      const now = ctx.clock.now()
      return firstOf(proposals, SHOWN, (each) => shown(each, names.get(each.proposedBy)?.email ?? '', now))
    },
  },
  {
    words: 'proposals approve',
    parameters: ['PROPOSAL'],
    does: 'approve and execute a proposal of another operator; --as names you by your email as an operator',
    async run(context, args) {
      const approved = await approveProposal(decisionCtxOf(context), await deciding(context, args))
      return `${approved.id} is approved and executed: ${oneLine(approved.about)}.`
    },
  },
  {
    words: 'proposals reject',
    parameters: ['PROPOSAL'],
    options: { reason: 'TEXT' },
    does: 'send a proposal of another operator back; --as names you by your email as an operator',
    async run(context, args) {
      const { ctx } = context
      const rejected = await rejectProposal(
        ctx,
        await deciding(context, args),
        textIn(args.options, 'reason'),
      )
      return `${rejected.id} is rejected. Nothing has been executed.`
    },
  },
]

const operatorText = ({ email, name, role, removedAt }: Operator): string =>
  `${email}  ${role}  ${oneLine(name)}${removedAt === null ? '' : '  removed'}`

async function add(
  { ctx, operator }: OperatorContext,
  { values: [typed = ''], options }: CommandArguments,
): Promise<string> {
  const given = Email.safeParse(typed)
  if (!given.success) throw new UsageError(`"${oneLine(typed)}" is not an email address.`)
  const email = given.data.toLowerCase()
  const role = operatorRoles.find((each) => each === options.role)
  if (role === undefined) throw new UsageError(`--role is one of ${operatorRoles.join(', ')}.`)
  const name = options.name === undefined ? nameIn(email) : textIn(options, 'name', 'the name', 200)
  const added = await addOperator(ctx, operator, { email, name, role: role satisfies OperatorRole })
  if (added === null)
    throw new Refused(`${email} is an operator with another role: remove the operator first.`)
  const said = added.isNew ? `${email} is an operator with the role ${role}.` : `Another link for ${email}:`
  return [
    said,
    'This link registers a passkey. It is good once, for 24 hours. Give it to nobody else:',
    added.link,
    ...[fourEyesWarning(await fourEyesOf(ctx))].filter((each) => each !== null),
  ].join('\n')
}

const nameIn = (email: string): string => email.split('@')[0] ?? email

async function deciding(context: OperatorContext, { values }: CommandArguments) {
  const id = typedId(ProposalId, 'a proposal', values[0])
  const { actor, operator } = await deciderOf(context)
  if (operator === null)
    throw new Refused(
      `${actor.name} is no operator. Name yourself with --as EMAIL: operators list shows them.`,
    )
  return { actor, operator, id }
}

const shown = (proposal: Proposal, by: string, now: Date): string =>
  block(`${proposal.id}  since ${ageText(proposal.proposedAt, now)}`, [
    ['Decision', proposal.kind],
    ['About', proposal.about],
    ...proposal.diff.map(({ label, from, to }) => [label, from === null ? to : `${from} -> ${to}`] as const),
    ['Reason', proposal.reason],
    ['Proposed by', by],
    ['Expires', proposal.expiresAt.toISOString()],
    ['To approve', `npm run admin -- proposals approve ${proposal.id} --as EMAIL`],
  ])
