/** Measures the public pages as on a cheap phone, at a gateway that is started as `npm start` does. */
import { parseArgs } from 'node:util'
import { withGateway } from '@muripo/rig/gateway'
import { findChromium } from '../lib/chromium.ts'
import { publicPages } from '../lib/public-pages.ts'
import { head, median, misses, row } from './verdict.ts'
import { type Visit, visit } from './visit.ts'

const allPages = [...publicPages, '/api-reference']
const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '3' } },
  allowPositionals: true,
})
const pages = positionals.length > 0 ? positionals : allPages
const unknown = pages.find((page) => !allPages.includes(page))
if (unknown !== undefined) {
  console.error(`There is no public page ${unknown}: name any of ${allPages.join(', ')}`)
  process.exit(2)
}
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  console.error('--runs takes a whole number from 1 up')
  process.exit(2)
}

async function measure(url: string): Promise<Map<string, Visit>> {
  const chromium = await findChromium(console.log)
  console.log(`\nLighthouse, mobile preset, ${runs === 1 ? 'one visit' : `median of ${runs} visits`}\n`)
  console.log(head())
  const medians = new Map<string, Visit>()
  for (const page of pages) {
    const visits: Visit[] = []
    for (let run = 1; run <= runs; run++) visits.push(await visit(new URL(page, url).href, chromium))
    const figures = median(visits)
    console.log(row(page, figures))
    medians.set(page, figures)
  }
  return medians
}

const medians = await withGateway('scripts/start.ts', measure)
const findings = [...medians].flatMap(([page, figures]) =>
  figures.findings.map((title) => `${page}: ${title}`),
)
if (findings.length > 0)
  console.log(`\nPoints were lost for\n${findings.map((line) => `  ${line}`).join('\n')}`)
const missed = [...medians].flatMap(([page, figures]) => misses(page, figures))
console.log(missed.length > 0 ? `\n✗ ${missed.join('\n✗ ')}` : '\n✓ every page is as good as it has to be')
process.exitCode = missed.length > 0 ? 1 : 0
