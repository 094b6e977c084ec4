/** One family of a scrape: its lines of HELP and TYPE, and its series. */
interface Family {
  readonly name: string
  readonly type: string
  readonly series: readonly Parsed[]
}

interface Parsed {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const label = /([a-z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/
const seriesLine = new RegExp(
  `^([a-z][a-z0-9_]*)(?:\\{((?:${label.source})(?:,${label.source})*)\\})? (-?[\\d.]+(?:e[+-]?\\d+)?|\\+Inf|-Inf|NaN)$`,
)

function parseSeries(line: string): Parsed {
  const match = seriesLine.exec(line)
  if (match === null) throw new Error(`no series: ${line}`)
  const pairs = [...(match[2] ?? '').matchAll(new RegExp(label, 'g'))].map(([, key, value]) => [key, value])
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`a label twice: ${line}`)
  const value = Number(match.at(-1)?.replace('Inf', 'Infinity'))
  return { name: match[1] ?? '', labels: Object.fromEntries(pairs), value }
}

function parseFamily(block: string): Family {
  const [help = '', type = '', ...lines] = block.split('\n')
  const [, name = '', text = ''] = /^# HELP (\S+) (.*)$/.exec(help) ?? []
  const [, typed, kind = ''] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(type) ?? []
  if (name === '' || text.trim() === '' || typed !== name) throw new Error(`no HELP and TYPE: ${help}`)
  return { name, type: kind, series: lines.map(parseSeries) }
}

const withoutLe = ({ labels: { le: _, ...rest } }: Parsed): string =>
  JSON.stringify(Object.entries(rest).sort())

/** Each set of labels has ascending buckets up to +Inf, a sum, and the count of the last bucket. */
function histogramProblems({ name, series }: Family): string[] {
  return [...Map.groupBy(series, withoutLe)].flatMap(([labels, all]) => {
    const part = (suffix: string) => all.filter((each) => each.name === `${name}_${suffix}`)
    const [buckets, sums, counts] = [part('bucket'), part('sum'), part('count')]
    const ends = buckets.map(({ labels: { le = '' } }) => Number(le.replace('+Inf', 'Infinity')))
    const rises = (values: readonly number[]) =>
      values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0))
    const isWhole = ends.at(-1) === Number.POSITIVE_INFINITY && sums.length === 1 && counts.length === 1
    const isRising = rises(ends) && rises(buckets.map(({ value }) => value))
    const isComplete = buckets.length + 2 === all.length && counts[0]?.value === buckets.at(-1)?.value
    return isWhole && isRising && isComplete ? [] : [`${name}${labels}: no whole histogram`]
  })
}

function familyProblems(family: Family): string[] {
  const { name, type, series } = family
  const problems = [
    [type === 'counter', /_total$/.test(name), 'the name of a counter ends in _total, and of no other type'],
    [false, /_(bucket|sum|count|info)$/.test(name), 'the suffix belongs to the parts of a histogram'],
    [false, /_(ms|milliseconds|minutes|hours|kb|mb|mib|percent)(_|$)/.test(name), 'the unit is no base unit'],
    [false, /_(counter|gauge|histogram|summary)(_|$)/.test(name), 'the name contains a type'],
  ] as const
  return [
    ...problems.flatMap(([expected, found, text]) => (expected === found ? [] : [`${name}: ${text}`])),
    ...(type === 'histogram'
      ? histogramProblems(family)
      : series.flatMap((each) => {
          const isOfFamily = each.name === name && !('le' in each.labels) && !('quantile' in each.labels)
          return isOfFamily ? [] : [`${name}: ${each.name} is none of its series`]
        })),
  ]
}

/** The errors of a scrape by the rules of Prometheus' text format and of promtool. */
export function expositionProblems(text: string): string[] {
  if (!text.endsWith('\n')) return ['the last line has no end']
  let families: Family[]
  try {
    families = text
      .trimEnd()
      .split(/\n+(?=# HELP )/)
      .map(parseFamily)
  } catch (error) {
    return [(error as Error).message]
  }
  const keys = families.flatMap(({ series }) =>
    series.map((each) => each.name + JSON.stringify(Object.entries(each.labels).sort())),
  )
  const names = families.map(({ name }) => name)
  const twice = (all: readonly string[]) => all.filter((each, index) => all.indexOf(each) !== index)
  return [
    ...families.flatMap(familyProblems),
    ...twice([...names, ...keys]).map((each) => `${each} occurs twice`),
  ]
}
