import type { Locator, Page } from '@playwright/test'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds: the beginning, the duration, and the processor time. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** Processor times as parts of a yardstick, which the same page does at the same time: a busy machine delays both. */
export interface Smoothness {
  /** Work of the page's main thread for a hundred scrolled pixels. */
  readonly scrolled: number
  /** The longest task, during which the page responds to no input. */
  readonly longestTask: number
}

const YARDSTICK = 'yardstick'

/** A thousand lines of text are laid out. */
const layOutLines = (page: Page): Promise<void> =>
  page.evaluate((name) => {
    performance.mark(name)
    const lines = document.createElement('div')
    lines.append(
      ...Array.from({ length: 1000 }, (_, line) => {
        const element = document.createElement('p')
        element.textContent = `Line ${line} of a page`
        return element
      }),
    )
    document.body.append(lines)
    lines.getBoundingClientRect()
    lines.remove()
  }, YARDSTICK)

/** Scrolls with the wheel at human speed. */
export async function scrollThrough(page: Page, area: Locator, pixels: number): Promise<Smoothness> {
  const box = await area.boundingBox()
  const browser = page.context().browser()
  if (!box || !browser) throw new Error('There is nothing to scroll')
  const devtools = await page.context().newCDPSession(page)
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel', 'blink.user_timing'] })
  await layOutLines(page)
  await devtools.send('Input.synthesizeScrollGesture', {
    x: Math.round(box.x + box.width / 2),
    y: Math.round(box.y + box.height / 2),
    yDistance: -pixels,
    speed: 4000,
    gestureSourceType: 'mouse',
  })
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  await devtools.detach()
  return smoothnessIn(trace.traceEvents, pixels)
}

function smoothnessIn(events: readonly TraceEvent[], pixels: number): Smoothness {
  const mark = events.find(({ name }) => name === YARDSTICK)
  if (!mark) throw new Error('The trace has no page in it')
  const tasks = events.filter(
    (event) =>
      event.pid === mark.pid && event.tid === mark.tid && event.ph === 'X' && event.name.endsWith('RunTask'),
  )
  const workOf = ({ tdur = 0 }: TraceEvent): number => tdur
  const yardstick = tasks.find(({ ts, dur = 0 }) => ts <= mark.ts && mark.ts <= ts + dur)
  if (!yardstick) throw new Error('The trace has no task for its yardstick')
  const others = tasks.filter((task) => task !== yardstick).map(workOf)
  const sum = others.reduce((total, work) => total + work, 0)
  return {
    scrolled: sum / (pixels / 100) / workOf(yardstick),
    longestTask: Math.max(...others) / workOf(yardstick),
  }
}
