/** A value of a metric, with its labels. */
export interface Sample {
  /** Of a histogram only: a bucket has the label `le` and the number of the values below, `sum` and `count` are of all values. */
  readonly part?: 'bucket' | 'sum' | 'count'
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metric {
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
}

/** Figures of a module that are read together when they are scraped. Several modules may add samples to one metric. */
export interface Figures {
  readonly name: string
  readonly metrics: Readonly<Record<string, Metric>>
  /** True: the figures are queried, so that they are cached for some seconds. */
  readonly readsDatabase?: boolean
  /** Samples by the name of their metric. A metric without a sample is unknown now. */
  read(): Samples | Promise<Samples>
}

export type Samples = Readonly<Record<string, readonly Sample[]>>
