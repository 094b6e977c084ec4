import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { expositionProblems } from './exposition.ts'
import { measuredGateway, metricsIn, seriesIn } from './measured-gateway.ts'

const gateway = await measuredGateway()

test('a scrape has the figures of the process, the queues and every part of the gateway', async () => {
  await gateway.app.inject('/healthz')
  const text = await gateway.scrape()
  const series = seriesIn(text)
  const labelsOf = (metric: string, label: string) =>
    new Set(series.filter(({ name }) => name === metric).map(({ labels }) => labels[label]))
  const missing = series.filter(({ name, value }) => name === 'muripo_figures_read' && value !== 1)
  expect(missing).toEqual([])
  expect([...labelsOf('muripo_queue_depth', 'queue')].toSorted()).toEqual([
    'anomalies',
    'attempts-in-review',
    'callbacks',
    'deliveries',
    'events',
    'expiries',
    'job-record-refused-attempt',
    'job-send-mail',
    'job-send-reset-code',
    'look-ups',
    'operator-refunds',
    'refund-look-ups',
    'watched-charges',
    'watched-refunds',
  ])
  expect([...labelsOf('muripo_pool_connections', 'pool')]).toEqual([
    'payments',
    'reads',
    'background',
    'relay',
    'jobs',
  ])
  expect(labelsOf('muripo_task_lag_seconds', 'task')).toContain('check-due')
  expect(labelsOf('muripo_task_lag_seconds', 'task')).toContain('compare')
  expect(series).toContainEqual({
    name: 'muripo_http_requests_total',
    labels: { method: 'GET', route: '/healthz', status: '200' },
    value: 1,
  })
  const disk = series.find(({ name }) => name === 'muripo_disk_free_bytes')
  expect(disk?.value).toBeGreaterThan(0)
  expect(metricsIn(text)).toContain('muripo_ledger_discrepancies')
  expect(expositionProblems(text)).toEqual([])
})

test('labels are bounded: paths, ids and methods of callers are in none', async () => {
  await gateway.scrape()
  const canary = 'canary7f3a'
  const paths = (n: number) => [
    `/${canary}${n}`,
    `/v1/${canary}${n}`,
    `/api/v1/payments/pay_${canary}${n}`,
    `/callbacks/${canary}${n}/${randomUUID()}`,
    `/pay/${canary}${n}`,
    `/assets/${canary}${n}.js`,
    `/api/v1/payments?${canary}=${n}`,
  ]
  const call = (n: number) =>
    Promise.all(
      paths(n).flatMap((url) =>
        (['GET', 'POST', 'DELETE', 'OPTIONS'] as const).map((method) => gateway.app.inject({ method, url })),
      ),
    )
  await call(0)
  const before = seriesIn(await gateway.scrape())
  for (let n = 1; n < 20; n += 1) await call(n)
  const text = await gateway.scrape()
  const ofRequests = ({ name }: { name: string }) => name.startsWith('muripo_http')
  // A rate limit may answer the later calls.
  const routes = (series: typeof before) =>
    new Set(series.filter(ofRequests).map(({ labels }) => labels.route))
  expect(routes(seriesIn(text))).toEqual(routes(before))
  expect(text).not.toContain(canary)
  expect(seriesIn(text).length).toBeLessThan(2000)
})

test('each metric has a help and a type, and a name with its unit', async () => {
  const text = await gateway.scrape()
  const names = metricsIn(text)
  expect(names.size).toBeGreaterThan(25)
  for (const name of names) {
    expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'))
    expect(name).toMatch(/^(muripo|process|nodejs)_[a-z_]+$/)
    expect(name).not.toMatch(/_(ms|milliseconds|mib)(_|$)/)
  }
})

test('the port serves nothing else, and the port of the gateway serves no metrics', async () => {
  const other = await fetch(`${gateway.address}/healthz`)
  expect(other.status).toBe(404)
  const post = await fetch(`${gateway.address}/metrics`, { method: 'POST' })
  expect(post.status).toBe(404)
  expect((await gateway.app.inject('/metrics')).body).not.toContain('muripo_queue_depth')
})
