import { existsSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Finding } from './compare.ts'
import { conclude } from './inspect.ts'
import { type DrillReport, reportDrill } from './report.ts'
import type { RecordSources } from './system.ts'

let printed: string[] = []
let directory = ''
beforeEach(() => {
  printed = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const report = (found: Partial<DrillReport>): Promise<boolean> =>
  reportDrill('test', async (created) => {
    directory = created
    return { figures: [['paid', 1]], findings: [], ...found }
  })

test('the directory of a drill that found nothing is removed', async () => {
  expect(await report({})).toBe(true)
  expect(existsSync(directory)).toBe(false)
  expect(printed).toEqual(['paid  1'])
})

test.each<[string, Partial<DrillReport>]>([
  ['lost: a payment', { findings: [{ kind: 'lost', text: 'a payment' }] }],
  ['problem: 3 jobs that are left', { problems: ['3 jobs that are left'] }],
])('the directory of a drill with %j is kept', async (line, found) => {
  expect(await report(found)).toBe(false)
  expect(existsSync(directory)).toBe(true)
  expect(printed).toEqual(['paid  1', line, `The files of the drill are in ${directory}`])
})

/** The records after a drill without a payment, in which the shop received a wrong response. */
const sources: RecordSources = {
  simulator: {
    url: '',
    pid: 0,
    environment: {},
    read: () => Promise.reject(new Error('no list')),
    records: async () => new Map(),
    async control() {},
    async close() {},
  },
  receiver: { url: '', taken: new Map(), contradicted: new Set(), async close() {} },
  shop: { orders: [], refunds: [], attempts: 0, wrong: ['a cancel was answered with 404'], async close() {} },
  database: {
    readSnapshot: async () => ({
      ...{ payments: [], attempts: [], refunds: [], transfers: [], events: [], anomalies: [] },
      drifted: 0,
    }),
    async passTime() {},
  },
}
const wrong: Finding = { kind: 'half done', text: 'a cancel was answered with 404' }

test('a wrong response to the shop keeps the directory, although all records agree', async () => {
  const findings = await conclude(sources)
  // The progress is written to the standard error, too.
  vi.mocked(console.error).mockClear()
  expect(findings).toEqual([wrong])
  expect(await report({ findings })).toBe(false)
  expect(existsSync(directory)).toBe(true)
})

test('a wrong response to the shop is reported beside the findings that end a drill', async () => {
  const lost: Finding = { kind: 'lost', text: 'a payment' }
  expect(await conclude(sources, [lost])).toEqual([lost, wrong])
})
