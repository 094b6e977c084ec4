import { describe, expect, test } from 'vitest'
import { metricsIn, seriesIn } from '../../../test/measured-gateway.ts'
import { createLog } from '../log.ts'
import type { Figures } from './figures.ts'
import { createMetrics } from './metrics.ts'

const depth = { type: 'gauge', help: 'Depth', labels: ['queue'] } as const
const figures = (name: string, read: Figures['read']): Figures => ({ name, metrics: { depth }, read })
const sample = (queue: string, value = 1) => ({ labels: { queue }, value })

describe('the figures of a process', () => {
  test('of several modules share a metric', async () => {
    const metrics = createMetrics(createLog('silent'))
    metrics.add(figures('one', () => ({ depth: [sample('a', 3)] })))
    metrics.add(figures('other', async () => ({ depth: [sample('b', 4)] })))
    const values = seriesIn(await metrics.text()).filter(({ name }) => name === 'depth')
    expect(values.map(({ labels, value }) => [labels.queue, value])).toEqual([
      ['a', 3],
      ['b', 4],
    ])
  })

  test('are missing, and not the last ones or zero, when they cannot be read or take too long', async () => {
    const metrics = createMetrics(createLog('silent'))
    let isAway = false
    metrics.add(
      figures('database', async () => {
        if (isAway) throw new Error('away')
        return { depth: [sample('a')], plain: [{ value: 7 }] }
      }),
    )
    metrics.add({ name: 'plain', metrics: { plain: { type: 'gauge', help: 'Plain' } }, read: () => ({}) })
    metrics.add(figures('hanging', () => new Promise(() => undefined)))
    const shown = async () =>
      seriesIn(await metrics.text()).map(({ name, labels, value }) => [name, labels, value])
    expect(await shown()).toEqual([
      ['muripo_figures_read', { figures: 'database' }, 1],
      ['muripo_figures_read', { figures: 'plain' }, 1],
      ['muripo_figures_read', { figures: 'hanging' }, 0],
      ['depth', { queue: 'a' }, 1],
      ['plain', {}, 7],
    ])
    isAway = true
    expect(await shown()).toEqual([
      ['muripo_figures_read', { figures: 'database' }, 0],
      ['muripo_figures_read', { figures: 'plain' }, 1],
      ['muripo_figures_read', { figures: 'hanging' }, 0],
    ])
    expect([...metricsIn(await metrics.text())]).toEqual(['muripo_figures_read', 'depth', 'plain'])
  })

  test('are read once for concurrent scrapes, and those of the database once in some seconds', async () => {
    const metrics = createMetrics(createLog('silent'))
    const reads = { memory: 0, database: 0 }
    const counted = (name: keyof typeof reads, readsDatabase: boolean): Figures => ({
      name,
      readsDatabase,
      metrics: { depth },
      read() {
        reads[name] += 1
        return { depth: [sample(name)] }
      },
    })
    metrics.add(counted('memory', false))
    metrics.add(counted('database', true))
    await Promise.all([metrics.text(), metrics.text(), metrics.text()])
    expect(reads).toEqual({ memory: 1, database: 1 })
    await metrics.text()
    expect(reads).toEqual({ memory: 2, database: 1 })
  })

  test('have at most 300 series for each metric', async () => {
    const metrics = createMetrics(createLog('silent'))
    metrics.add(figures('wide', () => ({ depth: Array.from({ length: 1000 }, (_, n) => sample(`q${n}`)) })))
    expect(seriesIn(await metrics.text()).filter(({ name }) => name === 'depth')).toHaveLength(300)
  })
})
