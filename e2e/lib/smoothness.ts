import type { Locator, Page } from '@playwright/test'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Processor time in microseconds, which does not depend on other programs. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

export interface Smoothness {
  /** Work of the page's main thread for each frame that was drawn, in milliseconds of processor time. */
  readonly frameMs: number
  /** The longest task, during which the page responds to no input. */
  readonly longestTaskMs: number
}

/** Scrolls with the wheel at human speed and returns the processor time. */
export async function scrollThrough(page: Page, area: Locator, pixels: number): Promise<Smoothness> {
  const box = await area.boundingBox()
  const browser = page.context().browser()
  if (!box || !browser) throw new Error('There is nothing to scroll')
  const devtools = await page.context().newCDPSession(page)
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel'] })
  await devtools.send('Input.synthesizeScrollGesture', {
    x: Math.round(box.x + box.width / 2),
    y: Math.round(box.y + box.height / 2),
    yDistance: -pixels,
    speed: 4000,
    gestureSourceType: 'mouse',
  })
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  await devtools.detach()
  return smoothnessIn(trace.traceEvents)
}

function smoothnessIn(events: readonly TraceEvent[]): Smoothness {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  // The browser keeps a spare process. The process of the page has the frames.
  const framesOf = (main: TraceEvent) =>
    events.filter((event) => on(main, event) && event.name === 'Layerize')
  const [main] = mains.toSorted((a, b) => framesOf(b).length - framesOf(a).length)
  if (!main) throw new Error('The trace has no page in it')
  const tasksMs = events
    .filter((event) => on(main, event) && event.ph === 'X' && event.name.endsWith('RunTask'))
    .map(({ tdur = 0 }) => tdur / 1000)
  const sumMs = tasksMs.reduce((sum, ms) => sum + ms, 0)
  return { frameMs: sumMs / framesOf(main).length, longestTaskMs: Math.max(...tasksMs) }
}

const on = (main: TraceEvent, event: TraceEvent) => event.pid === main.pid && event.tid === main.tid
