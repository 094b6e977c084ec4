/** Runs all checks and tests, also after a failure. With --fast it runs those without a browser. */
import { findChromium } from './lib/chromium.ts'
import { busyShare } from './lib/idle.ts'
import {
  componentsStep,
  databaseSteps,
  endToEndStep,
  sourceSteps,
  timingStep,
  webBuildStep,
} from './lib/plan.ts'
import { type Counts, type Step, take } from './lib/steps.ts'

let total: Counts = { passed: 0, failed: 0 }

async function takeAll(steps: readonly Step[], atOnce = 1): Promise<void> {
  const waiting = steps.values()
  const takeNext = async () => {
    for (const step of waiting) {
      const { passed, failed } = await take(step)
      total = { passed: total.passed + passed, failed: total.failed + failed }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, takeNext))
}

/** Above this share of the processors, other programs would change the result of the timing tests. */
const BUSY_MAX = 0.2

async function takeTiming(): Promise<void> {
  const busy = await busyShare()
  if (busy <= BUSY_MAX) return takeAll([timingStep()])
  const percent = Math.round(busy * 100)
  console.log(
    `- timing: not run, other programs use ${percent} % of the processors (npm run test:timing runs it)`,
  )
}

/** The path of the browser. Its installation runs beside the first steps, because a download needs little processor time. */
const searchChromium = () =>
  findChromium((line) => console.log(`  ${line}`)).catch((error: Error) => {
    console.log(`✗ ${error.message}`)
    total = { ...total, failed: total.failed + 1 }
    return undefined
  })

if (process.argv.includes('--fast')) {
  await takeAll(sourceSteps(), 2)
  await takeAll(databaseSteps(), 2)
} else {
  const search = searchChromium()
  await takeAll([webBuildStep, ...sourceSteps()], 2)
  const chromium = await search
  await takeAll([...databaseSteps(), ...(chromium ? [componentsStep(chromium)] : [])], 2)
  await takeTiming()
  if (chromium) await takeAll([endToEndStep(chromium)])
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
