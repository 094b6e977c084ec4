import { type AuditVerification, verifyAudit } from '../platform/audit/audit-seals.ts'
import { readAudit } from '../platform/audit/read-audit.ts'
import { type Command, Refused, UsageError } from './command.ts'
import { block } from './print.ts'

const SHOWN = 50

export const auditCommands: readonly Command[] = [
  {
    words: 'audit list',
    optional: { about: 'ID' },
    does: `show the last ${SHOWN} entries of the audit log; with --about those of one merchant or one application`,
    async run({ ctx }, { options }) {
      const auditEntries = await readAudit(ctx.db.kysely, { about: options.about }, SHOWN)
      if (auditEntries.length === 0) return 'Nothing is written down.'
      return auditEntries
        .map(({ at, actor, action, subject, address, requestId, credential, details }) =>
          block(`${at.toISOString()}  ${action}`, [
            ['by', credential === null ? actor : `${actor}, ${credential}`],
            ['on', subject],
            ['from', [address, requestId && `request ${requestId}`].filter(Boolean).join(', ')],
            ['details', detailsText(details)],
          ]),
        )
        .join('\n\n')
    },
  },
  {
    words: 'audit verify',
    optional: { head: 'HASH' },
    does: 'compute the seals of the audit log again, and find changed, deleted and inserted entries; --head is the hash of an earlier seal, from the log or a backup',
    async run({ ctx }, { options: { head } }) {
      if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
        throw new UsageError('--head needs the 64 hexadecimal digits of a seal.')
      return verified(await verifyAudit(ctx.db.kysely, head ?? null))
    },
  },
]

function verified({ problems, hasHead, head, seals, entries, unsealed }: AuditVerification): string {
  const found = hasHead === false ? ['The given head is not in the chain: it was cut or rewritten.'] : []
  if (found.length + problems.length > 0) throw new Refused([...found, ...problems].join('\n'))
  if (head === null) return `No entry is sealed yet. ${unsealed} entries wait for the first seal.`
  return [
    `All ${entries} entries of ${seals} seals are as they were sealed.`,
    `Head: ${head.hash}, seal ${head.n} of ${head.sealedAt.toISOString()}.`,
    `Not sealed yet: ${unsealed} entries. Nothing shows whether one of them was changed or deleted.`,
    hasHead
      ? 'The given head is in the chain: nothing up to it was rewritten.'
      : 'This check reads the database only. The owner of the database can delete the last entries with their seals, or rewrite all: check with --head and the head of a log or of a backup.',
  ].join('\n')
}

const detailsText = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
