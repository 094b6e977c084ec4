/** Measures the public pages as on a cheap phone, at a gateway that is started as `npm start` does. */
import { parseArgs } from 'node:util'
import { findChromium } from '../lib/chromium.ts'
import { withGateway } from '../lib/temporary-gateway.ts'
import { head, median, misses, row } from './verdict.ts'
import { type Visit, visit } from './visit.ts'

const pages = ['/', '/documentation', '/pricing']
const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  console.error('--runs takes a whole number from 1 up')
  process.exit(2)
}

async function measure(url: string): Promise<Map<string, Visit>> {
  const chromium = await findChromium(console.log)
  const medians = new Map<string, Visit>()
  for (const page of pages) {
    const visits: Visit[] = []
    for (let run = 1; run <= runs; run++) visits.push(await visit(new URL(page, url).href, chromium))
    medians.set(page, median(visits))
  }
  return medians
}

const medians = await withGateway('scripts/start.ts', measure)
console.log(`\nLighthouse, mobile preset, ${runs === 1 ? 'one visit' : `median of ${runs} visits`}\n`)
console.log(head())
for (const [page, figures] of medians) console.log(row(page, figures))
const findings = [...medians].flatMap(([page, figures]) =>
  figures.findings.map((title) => `${page}: ${title}`),
)
if (findings.length > 0)
  console.log(`\nPoints were lost for\n${findings.map((line) => `  ${line}`).join('\n')}`)
const missed = [...medians].flatMap(([page, figures]) => misses(page, figures))
console.log(missed.length > 0 ? `\n✗ ${missed.join('\n✗ ')}` : '\n✓ every page is as good as it has to be')
process.exitCode = missed.length > 0 ? 1 : 0
