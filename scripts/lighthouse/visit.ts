import { setTimeout as sleep } from 'node:timers/promises'
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { chromiumArgs } from '../lib/chromium.ts'

/** Measurements of one visit on a cheap phone. */
export interface Visit {
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  readonly seo: number
  readonly largestPaintMs: number
  readonly layoutShift: number
  readonly blockingMs: number
  /** The transferred bytes of scripts. */
  readonly scriptBytes: number
  readonly largestElement: string
  /** The titles of the audits that reduced a score. */
  readonly findings: readonly string[]
}

type Result = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

const flags = ['--headless=new', ...chromiumArgs]

/** A busy machine may lose the start of a trace, and Lighthouse asks for another visit then. */
const MOST_VISITS = 3

/** Lighthouse's mobile preset in a new browser, so that no visit uses the cache of another. */
export async function visit(url: string, chromePath: string): Promise<Visit> {
  for (let count = 1; ; count++) {
    const result = await visitOnce(url, chromePath)
    if (!result.runtimeError) return read(result)
    if (count === MOST_VISITS) throw new Error(`${url}: ${result.runtimeError.message}`)
  }
}

async function visitOnce(url: string, chromePath: string): Promise<Result> {
  const chrome = await launch({ chromePath, chromeFlags: flags, handleSIGINT: false, logLevel: 'silent' })
  const kill = () => chrome.kill()
  process.once('exit', kill)
  try {
    const result = await lighthouse(url, { port: chrome.port, logLevel: 'silent' })
    if (!result) throw new Error(`Lighthouse returned no result for ${url}`)
    return result.lhr
  } finally {
    process.off('exit', kill)
    const ended = new Promise((resolve) => chrome.process.once('exit', resolve))
    chrome.kill()
    await Promise.race([ended, sleep(5000, undefined, { ref: false })])
  }
}

function read({ audits, categories }: Result): Visit {
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    largestPaintMs: value('largest-contentful-paint'),
    layoutShift: value('cumulative-layout-shift'),
    blockingMs: value('total-blocking-time'),
    scriptBytes: scriptBytes(audits),
    largestElement: largestElement(audits),
    findings: findings({ audits, categories }),
  }
}

interface Request {
  readonly resourceType?: string
  readonly transferSize?: number
}

function scriptBytes(audits: Result['audits']): number {
  return items<Request>(audits['network-requests'])
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize }) => sum + (transferSize ?? 0), 0)
}

interface PaintedElement {
  readonly snippet?: string
  readonly nodeLabel?: string
}

function largestElement(audits: Result['audits']): string {
  const node = items<PaintedElement>(audits['lcp-breakdown-insight']).find(({ snippet }) => snippet)
  const tag = node?.snippet?.match(/^<([\w-]+)/)?.[1]
  return tag ? `${tag} “${shortened(node?.nodeLabel ?? '')}”` : 'unknown'
}

const shortened = (text: string) => (text.length > 34 ? `${text.slice(0, 32).trimEnd()} …` : text)

function items<T>(audit: Result['audits'][string] | undefined): T[] {
  return ((audit?.details as { items?: T[] } | undefined)?.items ?? []) as T[]
}

function findings({ audits, categories }: Pick<Result, 'audits' | 'categories'>): string[] {
  return Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs
      .map(({ id, weight }) => ({ audit: audits[id], weight }))
      .filter(({ audit, weight }) => weight > 0 && typeof audit?.score === 'number' && audit.score < 0.9)
      .map(({ audit }) => audit?.title ?? ''),
  )
}
