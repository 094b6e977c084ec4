/** Everything that can be tested, one step after the other, whatever fails. With --fast without the browser's half. */
import { findChromium } from './lib/chromium.ts'
import { fastSteps, slowSteps } from './lib/plan.ts'
import { type Counts, type Step, take } from './lib/steps.ts'

let total: Counts = { passed: 0, failed: 0 }

async function takeAll(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { passed, failed } = await take(step)
    total = { passed: total.passed + passed, failed: total.failed + failed }
  }
}

await takeAll(fastSteps())
if (!process.argv.includes('--fast')) {
  try {
    await takeAll(slowSteps(findChromium((line) => console.log(`  ${line}`))))
  } catch (error) {
    console.log(`✗ ${(error as Error).message}`)
    total = { ...total, failed: total.failed + 1 }
  }
}
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed > 0 ? 1 : 0
