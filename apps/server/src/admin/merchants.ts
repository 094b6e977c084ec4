import { NOTE_MAX_LENGTH } from '@muripo/contract/console-permissions'
import { type MerchantStatus, merchantStatuses } from '@muripo/contract/merchant-statuses'
import { toDecimal } from '@muripo/contract/money'
import {
  applicationsOf,
  type ListedMerchant,
  logoPathOf,
  merchantsForOperator,
  type ReviewedPresentation,
  reservedWordsOf,
  reviewCode,
  type StatusChangeResult,
  waitsForReview,
} from '../modules/applications/index.ts'
import type { MerchantMove, MerchantRecord } from '../modules/identity/index.ts'
import { notesOn, writeNote } from '../modules/operators/index.ts'
import { volumeOf } from '../modules/payments/index.ts'
import { merchantReasonIn, textIn } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { decideOrPropose } from './decide.ts'
import { merchantIn } from './find.ts'
import { ageText, block, firstOf, oneLine } from './print.ts'

const SHOWN = 50
const SHOWN_NOTES = 10
const parameters = ['MERCHANT'] as const
const options = { reason: 'TEXT' } as const

export const merchantCommands: readonly Command[] = [
  {
    words: 'merchants list',
    optional: { status: 'STATUS' },
    does: `list the merchants, or those who are ${merchantStatuses.join(', ')}, or waiting for a review`,
    async run({ ctx }, { options: { status } }) {
      const merchants = await merchantsForOperator(ctx, statusIn(status), SHOWN + 1)
      if (merchants.length === 0)
        return status === undefined ? 'There are no merchants.' : `No merchant is ${status}.`
      const now = ctx.clock.now()
      return firstOf(merchants, SHOWN, (merchant) => listed(merchant, now))
    },
  },
  {
    words: 'merchants show',
    parameters,
    does: 'show one merchant, by id or email: details, document, applications with their names and logos, and volume',
    run: show,
  },
  {
    words: 'merchants note',
    parameters,
    options: { note: 'TEXT' },
    does: 'write a note to the merchant, which operators read and the merchant does not; it stays in the audit log and never changes',
    run: note,
  },
  {
    words: 'merchants approve',
    parameters,
    options: { ...options, seen: 'CODE' },
    optional: { reserved: 'WORDS' },
    does: 'approve the merchant for live money under its present names, logos and colours; a repetition approves those that were added since',
    run: (context, args) => change(context, args, 'approve'),
  },
  {
    words: 'merchants suspend',
    parameters,
    options,
    does: 'refuse everything that the merchant or a payer can begin, at once; payments in progress end as usual',
    run: (context, args) => change(context, args, 'suspend'),
  },
  {
    words: 'merchants resume',
    parameters,
    options,
    does: 'end a suspension',
    run: (context, args) => change(context, args, 'resume'),
  },
  {
    words: 'merchants close',
    parameters,
    options,
    does: 'suspend the merchant permanently',
    run: (context, args) => change(context, args, 'close'),
  },
]

function statusIn(text: string | undefined): MerchantStatus | 'waiting' | null {
  if (text === undefined) return null
  const known = [...merchantStatuses, 'waiting' as const].find((status) => status === text)
  if (known) return known
  throw new UsageError(`--status is one of ${merchantStatuses.join(', ')}, waiting.`)
}

const waitText = ({ waitsFor }: ListedMerchant): string => {
  if (waitsFor === null) return ''
  if (waitsFor.kind === 'approval') return 'your approval'
  const { applications } = waitsFor
  return `your approval of the name or logo of ${applications === 1 ? 'an application' : `${applications} applications`}`
}

const statusText = ({ status, statusChange }: MerchantRecord, now: Date): string =>
  statusChange === null ? status : `${status}, for ${ageText(statusChange.at, now)}`

const listed = (merchant: ListedMerchant, now: Date): string =>
  block(`${merchant.id}  registered ${ageText(merchant.createdAt, now)} ago`, [
    ['Merchant', `${merchant.fullname} <${merchant.email}>`],
    ['Status', statusText(merchant, now)],
    ['Waits for', waitText(merchant)],
    ['To see all', `npm run admin -- merchants show ${merchant.id}`],
  ])

async function show(context: OperatorContext, args: CommandArguments): Promise<string> {
  const { ctx } = context
  const merchant = await merchantIn(context, args)
  const now = ctx.clock.now()
  const applications = await applicationsOf(ctx.db.kysely, merchant.id)
  const volume = await volumeOf(ctx.db.kysely, merchant.id)
  const { statusChange } = merchant
  const about = block(`${merchant.id}  registered ${ageText(merchant.createdAt, now)} ago`, [
    ['Name', merchant.fullname],
    ['Email', merchant.email],
    ['Phone', merchant.phone],
    ['Account', merchant.accountType],
    ['Document', `${merchant.documentType.replaceAll('_', ' ')}, ${merchant.documentId}`],
    ['To read it', `npm run admin -- documents save ${merchant.documentId} FILE.pdf`],
    ['Status', statusText(merchant, now)],
    ['Because', statusChange === null ? '' : `${statusChange.reason} (${statusChange.by})`],
    [
      'Volume',
      volume
        .map(
          ({ total, payments }) =>
            `${total.currency} ${toDecimal(total)} in ${payments} ${payments === 1 ? 'payment' : 'payments'}`,
        )
        .join(', '),
    ],
    ['To approve', approveLine(merchant, applications, ctx.config.keyMode)],
    ['Take care', reservedText(reservedWordsOf(ctx.config, merchant, applications), ctx.config.keyMode)],
  ])
  const { publicUrl } = ctx.config
  const notes = (await notesOn(ctx, merchant.id, SHOWN_NOTES)).map(({ at, by, note: text }) =>
    block(`Note of ${at.toISOString()}`, [
      ['By', by],
      ['Text', text],
    ]),
  )
  return [
    about,
    ...applications.map((application) => applicationText(application, now, publicUrl)),
    ...notes,
  ].join('\n\n')
}

async function note(context: OperatorContext, args: CommandArguments): Promise<string> {
  const text = textIn(args.options, 'note', 'the note', NOTE_MAX_LENGTH)
  const { id } = await merchantIn(context, args)
  await writeNote(context.ctx, context.operator, id, text)
  return `The note is with ${id}: merchants show has the last ${SHOWN_NOTES}.`
}

const reservedText = (words: readonly string[], mode: 'test' | 'live'): string =>
  words.length === 0 || mode === 'test'
    ? ''
    : `the names contain ${words.join(', ')}: compare them with the documents, and add --reserved "…" with these words to approve`

/** The command to approve, with the code of what is listed, so that a name or a logo that is added meanwhile is not approved unseen. */
function approveLine(
  merchant: MerchantRecord,
  applications: readonly ReviewedPresentation[],
  mode: 'test' | 'live',
): string {
  const isNew = mode === 'live' && merchant.status === 'new'
  const hasNewNames = merchant.status === 'approved' && applications.some(waitsForReview)
  if (!isNew && !hasNewNames) return ''
  const seen = reviewCode(merchant, applications)
  return `npm run admin -- merchants approve ${merchant.id} --seen ${seen} --reason "TEXT"`
}

const bankingText: Readonly<Record<ReviewedPresentation['banking'], string>> = {
  none: 'not configured',
  waiting: 'waits for approval: banking list',
  approved: 'approved',
  refused: 'refused',
}

const applicationText = (application: ReviewedPresentation, now: Date, publicUrl: string): string =>
  block(`${application.id}  created ${ageText(application.createdAt, now)} ago`, [
    ['Application', application.name],
    ['Category', application.category],
    [
      'Status',
      application.stopReason === null
        ? application.status
        : `stopped by an operator: ${application.stopReason}`,
    ],
    ['Payers see', nameText(application)],
    ['Logo', partText(application, 'logoHash', (hash) => `${publicUrl}${logoPathOf(hash)}`)],
    ['Colour', partText(application, 'colour', (colour) => colour)],
    ['Banking', bankingText[application.banking]],
  ])

/** A logo or a colour, and what payers of live money see until it is approved. */
function partText(
  { brand, approvedBrand }: ReviewedPresentation,
  part: keyof ReviewedPresentation['brand'],
  textOf: (value: string) => string,
): string {
  const [present, approved] = [brand[part], approvedBrand[part]]
  if (present === null) return ''
  if (present === approved) return `${textOf(present)}, approved`
  return `${textOf(present)}, waits for approval; payers see ${approved === null ? 'none' : textOf(approved)}`
}

const nameText = ({ name, promptName }: ReviewedPresentation): string => {
  if (promptName === name) return 'this name, approved'
  return promptName === null
    ? "the merchant's name until this one is approved"
    : `${promptName}, until this name is approved`
}

async function change(context: OperatorContext, args: CommandArguments, move: MerchantMove): Promise<string> {
  const reason = merchantReasonIn(args.options)
  const seen =
    move === 'approve' ? textIn(args.options, 'seen', 'the code that merchants show prints', 64) : null
  const { reserved } = args.options
  const merchant = await merchantIn(context, args)
  const payload = { merchantId: merchant.id, reason, seen, ...(reserved !== undefined && { reserved }) }
  return decideOrPropose(context, `merchant.${move}`, { payload, reason }, async (changed) =>
    reported(changed, merchant, move, await namesOf(context, merchant)),
  )
}

const namesOf = async ({ ctx }: OperatorContext, merchant: MerchantRecord): Promise<string> => {
  const applications = await applicationsOf(ctx.db.kysely, merchant.id)
  return [merchant.fullname, ...applications.map(({ name }) => name)].map(oneLine).join(', ')
}

const done: Readonly<Record<MerchantMove, string>> = {
  approve: 'approved',
  suspend: 'suspended',
  resume: 'active again',
  close: 'closed',
}

function reported(
  changed: StatusChangeResult,
  { id }: MerchantRecord,
  move: MerchantMove,
  names: string,
): string {
  switch (changed.result) {
    case 'done': {
      const named = move === 'approve' ? `\nPayers see: ${names}` : ''
      return `${id} is ${done[move]}. The merchant receives an email.${named}`
    }
    case 'names_approved':
      return `The new names, logos and colours of ${id} are approved. The merchant receives an email.\nPayers see: ${names}`
    case 'unchanged':
      return `${id} is ${changed.status} already. Nothing has changed.`
    case 'refused':
      throw new Refused(`${id} is ${changed.status}: ${move} is not possible. Nothing has changed.`)
    case 'changed':
      throw new Refused(
        `The names, logos or colours of ${id} are others than those that you saw. Look again with merchants show.`,
      )
    case 'reserved':
      throw new Refused(
        `The names of ${id} contain ${changed.words.join(', ')}. If the merchant may use them, add --reserved "${changed.words.join(', ')}". Nothing has changed.`,
      )
    case 'none':
      throw new Refused(`There is no merchant ${id}: merchants list shows them.`)
  }
}
