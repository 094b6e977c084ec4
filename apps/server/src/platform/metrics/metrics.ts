import { Counter, Gauge, Registry } from 'prom-client'
import { cachedFor, within } from '../async/shared-reads.ts'
import { systemClock } from '../clock.ts'
import { invariant } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Figures, Metric, Sample, Samples } from './figures.ts'

const CACHED_MS = 5000
/** A scrape waits for figures of the database for no longer than this. */
const READ_LIMIT_MS = 2500
/** A label with more values than this would be an error: the further samples are left out. */
const SERIES_MAX = 300

/** The figures of this process in the format of Prometheus. */
export interface Metrics {
  /** For metrics that are counted where they occur. */
  readonly registry: Registry
  add(figures: Figures): void
  /** Reads all figures. Concurrent calls share one reading. */
  text(): Promise<string>
}

/** A histogram whose parts a module has counted itself. The library's own one only counts what it observes. */
class Sampled extends Gauge {
  samples: readonly Sample[] = []

  override async get() {
    const { name, ...rest } = await super.get()
    const values = this.samples.map(({ part, labels = {}, value }) => ({
      metricName: `${name}_${part}`,
      labels,
      value,
    }))
    // The declared type is an enumeration, and the values are texts.
    return { name, ...rest, type: 'histogram' as unknown as typeof rest.type, values }
  }
}

interface Reader {
  readonly name: string
  read(): Promise<Samples | null>
}

export function createMetrics(log: Pick<Log, 'warn'>): Metrics {
  const registry = new Registry()
  const metrics = new Map<string, { readonly spec: Metric; readonly metric: Gauge | Counter | Sampled }>()
  const readers: Reader[] = []
  const figuresRead = new Gauge({
    name: 'muripo_figures_read',
    help: '1 when the figures of this name could be read, else 0 and they are missing',
    labelNames: ['figures'],
    registers: [registry],
  })

  function register(name: string, spec: Metric): void {
    if (metrics.has(name)) return
    const { type, help, labels = [] } = spec
    const options = { name, help, labelNames: [...labels], registers: [registry] }
    if (type === 'histogram') metrics.set(name, { spec, metric: new Sampled(options) })
    else metrics.set(name, { spec, metric: type === 'gauge' ? new Gauge(options) : new Counter(options) })
  }

  function write(all: readonly Samples[]): void {
    for (const [name, { spec, metric }] of metrics) {
      metric.reset()
      // A metric without labels is zero after a reset, and not unknown.
      if (!spec.labels) metric.remove()
      const samples = all.flatMap((read) => read[name] ?? [])
      // A histogram is whole or missing.
      if (metric instanceof Sampled) metric.samples = samples
      else for (const { labels = {}, value } of samples.slice(0, SERIES_MAX)) metric.inc(labels, value)
    }
  }

  async function readAll(): Promise<string> {
    const readings = await Promise.all(
      readers.map(async ({ name, read }) => ({ name, samples: await read() })),
    )
    for (const { name, samples } of readings) figuresRead.set({ figures: name }, samples === null ? 0 : 1)
    write(readings.flatMap(({ samples }) => (samples === null ? [] : [samples])))
    return registry.metrics()
  }

  let reading: Promise<string> | null = null
  return {
    registry,
    add(figures) {
      for (const [name, metric] of Object.entries(figures.metrics)) register(name, metric)
      const known = readers.some(({ name }) => name === figures.name)
      invariant(!known, `the figures ${figures.name} are added once`)
      readers.push(readerOf(figures, log))
    },
    text() {
      reading ??= readAll().finally(() => {
        reading = null
      })
      return reading
    },
  }
}

/** A reader of figures that returns null after a failure or the time limit. */
function readerOf({ name, read, readsDatabase = false }: Figures, log: Pick<Log, 'warn'>): Reader {
  const safely = async () => {
    try {
      return await within(READ_LIMIT_MS, Promise.resolve(read()), null)
    } catch (error) {
      log.warn({ err: error, figures: name }, 'figures could not be read')
      return null
    }
  }
  return { name, read: readsDatabase ? cachedFor(systemClock, CACHED_MS, safely) : safely }
}
