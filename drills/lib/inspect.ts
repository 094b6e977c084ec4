import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseAway } from '../../apps/server/src/platform/db/failures.ts'
import { compare, compareFinal, type Finding, observedSoFar, type Servers, wrongAnswers } from './compare.ts'
import { logProgress } from './report.ts'
import type { RecordSources } from './system.ts'

const COMPLETION_TIMEOUT_MS = 120_000
const ROUND_MS = 500

/** Compares all records while the customers go on. */
export async function inspect(sources: RecordSources): Promise<Finding[]> {
  const observed = await observedSoFar(sources)
  const giveUpAt = performance.now() + COMPLETION_TIMEOUT_MS
  const snapshot = await untilReached(giveUpAt, () => sources.database.readSnapshot())
  return compare(snapshot, observed, await serversOf(sources))
}

export const serversOf = async ({ simulator, receiver }: RecordSources): Promise<Servers> => ({
  records: await simulator.records(),
  receiver,
})

/** The findings of a whole drill: the earlier ones, or else those at the end, and the wrong responses to the shop. */
export const conclude = async (
  sources: RecordSources,
  earlier: readonly Finding[] = [],
): Promise<Finding[]> => [
  ...(earlier.length > 0 ? earlier : await finish(sources)),
  ...wrongAnswers(sources.shop),
]

/** Stops the customers, waits until all work is finished, and compares all records; returns the unfinished work, too. */
async function finish(sources: RecordSources): Promise<Finding[]> {
  const { shop, database } = sources
  let isClosed = false
  void shop.close().then(() => {
    isClosed = true
  })
  const giveUpAt = performance.now() + COMPLETION_TIMEOUT_MS
  for (let round = 1; ; round += 1) {
    await sleep(ROUND_MS)
    const isLast = performance.now() > giveUpAt
    if (isClosed) {
      const observed = await observedSoFar(sources)
      const snapshot = await untilReached(giveUpAt, () => database.readSnapshot())
      const findings = compareFinal(snapshot, observed, await serversOf(sources))
      logProgress(`finishing: ${findings.length} left${findings[0] ? `, such as: ${findings[0].text}` : ''}`)
      if (findings.length === 0 || isLast || findings.some(({ kind }) => kind !== 'unresolved'))
        return findings
    } else if (isLast) {
      return [{ kind: 'unresolved', text: 'a request of the shop has no response' }]
    }
    if (round === 2) await repeatCallbacks(sources)
    if (round % 4 === 0) await untilReached(giveUpAt, () => database.passTime())
  }
}

/** Sends the callbacks of a wallet once more, long after their charges. */
async function repeatCallbacks({ simulator }: RecordSources): Promise<void> {
  for (const { kind, key } of (await simulator.records()).values())
    if (kind === 'wallet') await simulator.control(`/callbacks/${key}`, {})
}

/** Repeats work while the database is unavailable: the leader may change again, and a busy machine may accept a session late. */
async function untilReached<Result>(giveUpAt: number, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > giveUpAt) throw error
      await sleep(ROUND_MS)
    }
  }
}
