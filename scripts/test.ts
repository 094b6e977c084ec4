/** Everything that can be tested, step by step, whatever fails. With --fast without the browser's half. */
import { findChromium } from './lib/chromium.ts'
import { busyShare } from './lib/idle.ts'
import { databaseSteps, slowSteps, sourceSteps, timingStep } from './lib/plan.ts'
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

await takeAll(sourceSteps(), 2)
await takeAll(databaseSteps(), 2)
if (!process.argv.includes('--fast')) {
  await takeTiming()
  try {
    await takeAll(slowSteps(findChromium((line) => console.log(`  ${line}`))))
  } catch (error) {
    console.log(`✗ ${(error as Error).message}`)
    total = { ...total, failed: total.failed + 1 }
  }
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
