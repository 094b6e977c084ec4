import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { measuredGateway, metricsIn } from './measured-gateway.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8')

const rules = read('deploy/prometheus/alerts.yml')
const tests = read('deploy/prometheus/alerts.test.yml')
const alerts = rules.split(/^ +- alert: /m).slice(1)
const nameOf = (alert: string) => /^\w+/.exec(alert)?.[0] ?? ''

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}
const dashboard = JSON.parse(read('deploy/grafana/gateway.json')) as Dashboard
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** The metrics that an expression names; the parts of a histogram count as the histogram. */
const namesIn = (text: string, exported: ReadonlySet<string>): string[] =>
  [...text.matchAll(/\b(?:muripo|process|nodejs)_[a-z_]+/g)].map(([name]) => {
    const histogram = name.replace(/_(bucket|sum|count)$/, '')
    return !exported.has(name) && exported.has(histogram) ? histogram : name
  })

describe('the alert rules', () => {
  test('and the dashboard name metrics that the gateway exports', async () => {
    const gateway = await measuredGateway()
    const exported = metricsIn(await gateway.scrape())
    const unknown = (texts: readonly string[]) =>
      texts.flatMap((text) => namesIn(text, exported)).filter((name) => !exported.has(name))
    expect(namesIn(rules, exported).length).toBeGreaterThan(20)
    expect(unknown([rules, tests])).toEqual([])
    expect(expressions.length).toBeGreaterThan(20)
    expect(unknown(expressions)).toEqual([])
    // Each exported metric occurs in a rule or on a dashboard.
    const shown = new Set([rules, ...expressions].flatMap((text) => namesIn(text, exported)))
    expect([...exported].filter((name) => !shown.has(name))).toEqual([])
  })

  test('have a runbook, a severity and a summary each, and every runbook its alert', () => {
    expect(alerts.length).toBeGreaterThan(15)
    const runbooks = alerts.map((alert) => {
      expect(alert).toMatch(/severity: (page|ticket)/)
      expect(alert).toMatch(/summary: '/)
      const [, runbook = ''] = /runbook: (\S+)/.exec(alert) ?? []
      expect(existsSync(path.join(repository, runbook)), `${nameOf(alert)}: ${runbook}`).toBe(true)
      expect(read(runbook)).toMatch(new RegExp(`^# ${nameOf(alert)}: `))
      return path.basename(runbook)
    })
    expect(readdirSync(path.join(repository, 'docs/runbooks')).toSorted()).toEqual(runbooks.toSorted())
  })

  test('are tested to fire and to be quiet', () => {
    for (const alert of alerts.map(nameOf)) {
      expect(tests).toContain(`name: ${alert} fires`)
      expect(tests).toContain(`name: ${alert} is quiet`)
    }
  })

  const promtool = process.env.MURIPO_PROMTOOL ?? 'promtool'
  const isMissing = spawnSync(promtool, ['--version']).status !== 0
  test.skipIf(isMissing)(
    `pass their tests with promtool${isMissing ? ' (skipped: promtool of the Debian package prometheus is not installed)' : ''}`,
    () => {
      const cwd = path.join(repository, 'deploy/prometheus')
      expect(String(execFileSync(promtool, ['check', 'rules', 'alerts.yml'], { cwd }))).toContain('SUCCESS')
      expect(String(execFileSync(promtool, ['test', 'rules', 'alerts.test.yml'], { cwd }))).toContain(
        'SUCCESS',
      )
    },
  )
})
