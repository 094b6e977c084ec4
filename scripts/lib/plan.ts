import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { repository } from './repository.ts'
import type { Counts, Step } from './steps.ts'

const reports = path.join(repository, 'test-results')

/** Checks that read the sources alone and write nothing that another check reads. The longest checks come first. */
export const sourceSteps = (): Step[] => [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  ...typeSteps(),
  { name: 'dead code', command: 'knip', args: [] },
]

/** Test files that mostly wait for a time-out, another process or a clock, and need little processor time. */
export const waitingTests = [
  'apps/server/src/admin/backups.test.ts',
  'apps/server/src/admin/forged-backups.test.ts',
  'apps/server/src/modules/identity/documents/upload-slowly.test.ts',
  'apps/server/src/modules/providers/calls/requests-of-call.test.ts',
  'apps/server/src/modules/providers/ecocash-open/contract.test.ts',
  'apps/server/src/modules/providers/ecocash/contract.test.ts',
  'apps/server/src/modules/providers/innbucks/contract.test.ts',
  'apps/server/src/modules/providers/intermediaries.test.ts',
  'apps/server/src/modules/providers/mastercard/contract.test.ts',
  'apps/server/src/modules/providers/paynow/contract.test.ts',
  'apps/server/src/modules/providers/pesepay/contract.test.ts',
  'apps/server/src/modules/site/actions/read-status.test.ts',
  'apps/server/src/modules/webhooks/deliveries/processes.test.ts',
  'apps/server/src/modules/webhooks/deliveries/retries.test.ts',
  'apps/server/src/platform/db/listen.test.ts',
  'apps/server/src/platform/http/body-time.test.ts',
  'apps/server/src/platform/metrics/metrics.test.ts',
  'apps/server/test/faults/connection-watchdog.test.ts',
  'apps/server/test/faults/provider-wire.test.ts',
  'apps/server/test/faults/receiver-wire.test.ts',
  'apps/server/test/mail-journey.test.ts',
  'apps/server/test/proxies.test.ts',
  'apps/server/test/traces.test.ts',
  'apps/server/test/waiting-payers.test.ts',
  'packages/embedded-postgres/src/embedded-postgres.test.ts',
  'packages/embedded-postgres/src/guard.test.ts',
]

/** Tests with a database and without a browser. Two steps run at once. */
export function databaseSteps(): Step[] {
  mkdirSync(reports, { recursive: true })
  return [
    vitestStep('unit and database', 'vitest.json', ...waitingTests.map((file) => `--exclude=${file}`)),
    vitestStep('unit and database, waiting', 'waiting.json', ...waitingTests),
    { name: 'schema and row types', command: 'node', args: ['scripts/generate-schema.ts', '--verify'] },
  ]
}

/** Tests that compare times: only on a machine that does nothing else. */
export const timingStep = (): Step =>
  vitestStep('timing', 'timing.json', '--config', 'vitest.timing.config.ts')

function vitestStep(name: string, report: string, ...args: string[]): Step {
  const file = path.join(reports, report)
  return {
    name,
    command: 'vitest',
    args: ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    report: { file, count: countVitest },
  }
}

/** The build of the web app, which the gateways of later steps serve. */
export const webBuildStep: Step = { name: 'web build', command: 'node', args: ['scripts/build-web.ts'] }

export const componentsStep = (chromium: string): Step => ({
  ...vitestStep('components', 'components.json', '--config', 'vitest.components.config.ts'),
  environment: { MURIPO_CHROMIUM: chromium },
})

export function endToEndStep(chromium: string): Step {
  const file = path.join(reports, 'playwright.json')
  return {
    name: 'end to end',
    command: 'playwright',
    args: ['test', '--reporter=list,json'],
    // Playwright sets FORCE_COLOR for its workers, and Node warns of both together.
    environment: { NO_COLOR: undefined, MURIPO_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    report: { file, count: countPlaywright },
  }
}

function typeSteps(): Step[] {
  const projects = [
    'apps/server',
    'scripts',
    'apps/web',
    'bench',
    'drills',
    'packages/contract',
    'packages/sdk',
    'e2e',
    'apps/simulator',
    'packages/embedded-postgres',
    'packages/locales',
    'packages/pdf-guard',
    'packages/rig',
    'packages/testing',
  ]
  return projects
    .filter((project) => existsSync(path.join(repository, project, 'tsconfig.json')))
    .map((project) =>
      project === 'apps/web'
        ? { name: `types: ${project}`, command: 'npm', args: ['run', 'typecheck', '--silent', '-w', project] }
        : { name: `types: ${project}`, command: 'tsc', args: ['-p', project] },
    )
}

function countVitest(report: unknown): Counts {
  const { numPassedTests, numFailedTests } = report as { numPassedTests: number; numFailedTests: number }
  return { passed: numPassedTests, failed: numFailedTests }
}

function countPlaywright(report: unknown): Counts {
  const { stats } = report as { stats: { expected: number; flaky: number; unexpected: number } }
  // A test that only passes the second time has found something.
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}
