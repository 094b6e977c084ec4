import { retryJobs } from '../modules/operators/index.ts'
import { lastRuns, selectRuns } from '../platform/jobs/job-runs.ts'
import { failedJobs, jobsByKind } from '../platform/jobs/store-jobs.ts'
import { type Command, Refused } from './command.ts'
import { ageText, block, firstOf, oneLine } from './print.ts'

const SHOWN = 50

export const jobCommands: readonly Command[] = [
  {
    words: 'jobs list',
    does: 'show the queue of jobs by kind, and the jobs whose last attempt failed, the oldest first',
    async run({ ctx }) {
      const kinds = await jobsByKind(ctx.db.kysely)
      const failed = await failedJobs(ctx.db.kysely, SHOWN + 1)
      if (kinds.length === 0) return 'No job waits.'
      const now = ctx.clock.now()
      const queue = kinds.map(
        ({ kind, due, later, givenUp }) => `${kind}: ${due} due, ${later} later, ${givenUp} given up`,
      )
      const shown = firstOf(failed, SHOWN, ({ id, kind, attempts, maxAttempts, error, createdAt, dueAt }) =>
        block(`${id}  ${kind}, for ${ageText(createdAt, now)}`, [
          ['Attempts', `${attempts} of ${maxAttempts}`],
          ['Error', error],
          ['Next', dueAt === null ? 'given up' : dueAt.toISOString()],
        ]),
      )
      return [queue.join('\n'), shown].filter((text) => text !== '').join('\n\n')
    },
  },
  {
    words: 'jobs runs',
    optional: { name: 'NAME' },
    flags: ['failed'],
    does: 'show the last run of each job and task, or with --name or --failed the newest runs: each failure, and one run a minute of the others',
    async run({ ctx }, { options: { name }, flags }) {
      const isFailed = flags.has('failed')
      const runs =
        name === undefined && !isFailed
          ? await lastRuns(ctx.db.kysely)
          : await selectRuns(ctx.db.kysely, { name, isFailed, limit: SHOWN })
      if (runs.length === 0) return 'No run is recorded.'
      return runs
        .map(({ name: of, startedAt, tookMs, error }) =>
          block(`${startedAt.toISOString()}  ${of}`, [
            ['Took', `${tookMs} ms`],
            ['Outcome', error === null ? 'done' : `failed: ${error}`],
          ]),
        )
        .join('\n\n')
    },
  },
  {
    words: 'jobs retry',
    parameters: ['KIND'],
    does: 'run the failed jobs of a kind again, given up or not; a second run of a job is harmless',
    async run({ ctx, operator }, { values: [kind = ''] }) {
      const retried = await retryJobs(ctx, operator, kind)
      if (retried === 0) throw new Refused(`No job of the kind ${oneLine(kind)} has failed: see jobs list.`)
      return retried === 1 ? 'One job runs again.' : `${retried} jobs run again.`
    },
  },
]
