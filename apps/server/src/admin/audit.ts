import { readAudit } from '../platform/audit/read-audit.ts'
import type { Command } from './command.ts'
import { block } from './print.ts'

const SHOWN = 50

export const auditCommands: readonly Command[] = [
  {
    words: 'audit list',
    optional: { about: 'ID' },
    does: `show the last ${SHOWN} entries of the audit log; with --about those of one merchant or one application`,
    async run({ ctx }, { options }) {
      const auditEntries = await readAudit(ctx.db.kysely, options.about ?? null, SHOWN)
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
]

const detailsText = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
