import { IncidentId } from '@muripo/contract/ids'
import { type Incident, IncidentStatus } from '@muripo/contract/site'
import { openIncident, recentIncidents, updateIncident } from '../modules/site/index.ts'
import { typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { block, oneLine } from './print.ts'

const TITLE_MAX = 120
const TEXT_MAX = 1000

export const incidentCommands: readonly Command[] = [
  {
    words: 'incidents open',
    parameters: ['TITLE'],
    options: { text: 'TEXT' },
    does: 'announce an incident on the public status page',
    async run({ ctx, operator }, { values: [title = ''], options }) {
      const text = textIn(options.text, '--text', TEXT_MAX)
      const id = await openIncident(ctx, operator, textIn(title, 'The title', TITLE_MAX), text)
      return `${id} is on the status page.`
    },
  },
  {
    words: 'incidents update',
    parameters: ['INCIDENT'],
    options: { text: 'TEXT' },
    optional: { status: 'identified|monitoring' },
    does: 'announce the progress of an incident; without --status it is still investigated',
    run: (context, args) => change(context, args, statusIn(args.options.status)),
  },
  {
    words: 'incidents resolve',
    parameters: ['INCIDENT'],
    options: { text: 'TEXT' },
    does: 'announce the end of an incident; it stays on the status page for 14 days',
    run: (context, args) => change(context, args, 'resolved'),
  },
  {
    words: 'incidents list',
    does: 'list the incidents of the status page, the open ones first',
    async run({ ctx }) {
      const incidents = await recentIncidents(ctx.db.kysely)
      return incidents.length === 0 ? 'The status page shows no incident.' : incidents.map(shown).join('\n\n')
    },
  },
]

async function change(
  { ctx, operator }: OperatorContext,
  { values: [given = ''], options }: CommandArguments,
  status: IncidentStatus,
): Promise<string> {
  const id = typedId(IncidentId, 'an incident', given)
  const text = textIn(options.text, '--text', TEXT_MAX)
  if (!(await updateIncident(ctx, operator, id, status, text)))
    throw new Refused(`No incident ${id} is open: see incidents list.`)
  return `${id} is ${status}.`
}

function statusIn(given = 'investigating'): IncidentStatus {
  const status = IncidentStatus.exclude(['resolved']).safeParse(given)
  if (status.success) return status.data
  throw new UsageError('--status is investigating, identified or monitoring.')
}

function textIn(given: string | undefined, what: string, maxLength: number): string {
  const text = oneLine(given ?? '')
  if (text !== '' && text.length <= maxLength) return text
  throw new UsageError(`${what} has 1 to ${maxLength} characters.`)
}

const shown = ({ id, title, openedAt, updates }: Incident): string =>
  block(`${id}  ${oneLine(title)}`, [
    ['opened', openedAt],
    ...updates.map(({ status, message, at }) => [status, `${at}  ${message}`] as const),
  ])
