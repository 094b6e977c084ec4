import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { launch } from '@muripo/rig/gateway'
import { needPrograms } from '../scripts/lib/packages.ts'
import { expect, test } from './fixtures.ts'
import { runNpmScript, runShell } from './lib/commands.ts'
import { query } from './lib/database.ts'
import { payFrom } from './lib/payers-page.ts'
import { clear, temporaryDataDir } from './lib/processes.ts'

/** Each command of the README and the documents, as they write it (`scripts/checks/commands.test.ts` compares both lists). */

const repository = fileURLToPath(new URL('..', import.meta.url))

/** The shell blocks of README, in order. */
function shellBlocks(): string[] {
  const readme = readFileSync(path.join(repository, 'README.md'), 'utf8')
  return [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '')
}

test('npm run demo has 90 days of payments that its merchant sees', async ({ page }) => {
  const dataDir = temporaryDataDir()
  try {
    const demo = await launch({ dataDir, command: ['npm', 'run', '--silent', 'demo'] })
    await expect.poll(() => demo.output.stdout, { timeout: 240_000 }).toContain('Muripo is ready')
    // The worker finds no call of the past to look up: such a call would be an error in the log, and change the sample payments.
    const due = ['payment_attempts', 'refunds'].map((table) =>
      query(dataDir, `select id from ${table} where least(next_check_at, next_watch_at) < now()`),
    )
    expect(await Promise.all(due)).toEqual([[], []])
    const [, payUrl = ''] = /Pay\s+(http\S+)/.exec(demo.output.stdout) ?? []
    await page.goto(payUrl.replace(/^http:\/\/[^/]+/, demo.url))
    await expect(page.getByRole('radio', { name: 'EcoCash' })).toBeVisible()
    expect(await demo.interrupt()).toBe(0)
    expect(demo.output.stderr).toBe('')
  } finally {
    expect(await clear(dataDir), 'processes that were left').toEqual([])
  }
})

test('npm run dev starts and stops in order', async () => {
  const dataDir = temporaryDataDir()
  try {
    const dev = await launch({ dataDir, command: ['npm', 'run', '--silent', 'dev'] })
    await dev.ready()
    expect(await dev.interrupt()).toBe(0)
  } finally {
    expect(await clear(dataDir), 'processes that were left').toEqual([])
  }
})

test('npm run admin works on a running gateway', async ({ gateway }) => {
  const answer = await runShell('npm run --silent admin -- ledger && npm run --silent admin -- help', {
    MURIPO_DATA: gateway.dataDir,
    INIT_CWD: repository,
    HOME: process.env.HOME ?? '/tmp',
  })
  expect(answer).toContain('npm run admin -- COMMAND')
})

test('the five minutes of README lead to a completed payment', async ({ gateway }) => {
  await needPrograms('curl', 'jq')
  const [first = '', second = ''] = shellBlocks()
  expect(shellBlocks()).toHaveLength(2)
  const folder = mkdtempSync(path.join(tmpdir(), 'muripo-readme-'))
  try {
    const printed = await runShell(
      `cd ${folder}\n${first.replace('http://localhost:3000', gateway.url)}\nprintf '\\n%s\\n%s\\n' "$APP_KEY" "$PAYMENT"`,
      {},
    )
    const [payment = '', key = ''] = printed.trim().split('\n').reverse()
    const { payment_url } = JSON.parse(payment) as { payment_url: string }
    await payFrom('0771111111', { payment_url })
    const request = () => runShell(second, { G: gateway.url, APP_KEY: key, PAYMENT: payment })
    await expect.poll(async () => (await request()).trim()).toBe('"completed"')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('npm run bench -- --quick measures every part without an error', async () => {
  test.setTimeout(600_000)
  const conditions = ['--flush-delay', '1', '--processes', '2', '--payments', '1000']
  const { code, output } = await runNpmScript('bench', '--quick', ...conditions)
  for (const part of [
    'Signing in',
    'Webhooks',
    'Statements of a life',
    'Memory of the gateway',
    'Reading payments',
  ])
    expect(output).toContain(part)
  if (!output.includes('pgbench is not installed'))
    for (const part of ['Creating payments', 'Whole lives'])
      expect(output).toMatch(
        new RegExp(
          `${part}.*\n.*\n2 API processes · each flush takes 1 ms more; .* · 1,000 payments were there, with totals of \\d+ MB`,
        ),
      )
  expect(output).not.toContain('No figures')
  expect(code).toBe(0)
})

test('npm run lighthouse -- --runs 1 visits the page that it is given', async () => {
  test.setTimeout(600_000)
  const { output } = await runNpmScript('lighthouse', '--runs', '1', '/pricing')
  // The verdict is about speed, which a busy machine lacks.
  expect(output.match(/^\/\S*(?=\s)/gm)).toEqual(['/pricing'])
})

test('npm run screenshots -- home takes four pictures', async () => {
  const { code, output } = await runNpmScript('screenshots', 'home')
  expect(output).toContain('4 pictures of 1 pages')
  expect(code).toBe(0)
})

test('npm run test:browsers passes, or names the browsers that are missing', async () => {
  test.setTimeout(600_000)
  const { code, output } = await runNpmScript('test:browsers', '-t', 'paid')
  const failures = [...stripVTControlCharacters(output).matchAll(/^Error: (.*)$/gm)].map(
    ([, message = '']) => message,
  )
  for (const failure of failures)
    expect(failure).toMatch(/^\S+ is missing. Install it with: apt-get install -y \S/)
  expect(code).toBe(failures.length > 0 ? 1 : 0)
})
