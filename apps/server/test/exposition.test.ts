import { expect, test } from 'vitest'
import { expositionProblems } from './exposition.ts'

const family = (type: string, name: string, ...lines: string[]) =>
  [`# HELP ${name} Text`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
const histogram = (...lines: string[]) => family('histogram', 'a_seconds', ...lines)

test.each([
  [
    histogram(
      'a_seconds_bucket{le="1"} 1',
      'a_seconds_bucket{le="+Inf"} 2',
      'a_seconds_sum 3',
      'a_seconds_count 2',
    ),
  ],
  [`${family('gauge', 'a', 'a{b="c \\"d\\""} -1.5')}\n${family('counter', 'b_total')}`],
])('%# is right', (text) => {
  expect(expositionProblems(text)).toEqual([])
})

test.each([
  ['a counter without its suffix', family('counter', 'a', 'a 1')],
  ['a gauge with the suffix of a counter', family('gauge', 'a_total', 'a_total 1')],
  ['a bucket that is called a counter', family('counter', 'a_seconds_bucket', 'a_seconds_bucket{le="1"} 1')],
  ['a gauge with a quantile', family('gauge', 'a', 'a{quantile="0.5"} 1')],
  ['a unit that is no base unit', family('gauge', 'a_ms', 'a_ms 1')],
  ['a series twice', family('gauge', 'a', 'a{b="c",d="e"} 1', 'a{d="e",b="c"} 1')],
  ['a family twice', `${family('gauge', 'a', 'a 1')}\n${family('gauge', 'a')}`],
  ['a type without a help', '# TYPE a gauge\na 1\n'],
  ['a series of another family', family('gauge', 'a', 'b 1')],
  ['a label without an end', family('gauge', 'a', 'a{b="c} 1')],
  ['no sum', histogram('a_seconds_bucket{le="+Inf"} 2', 'a_seconds_count 2')],
  ['no last bucket', histogram('a_seconds_bucket{le="1"} 2', 'a_seconds_sum 3', 'a_seconds_count 2')],
  ['another count', histogram('a_seconds_bucket{le="+Inf"} 2', 'a_seconds_sum 3', 'a_seconds_count 3')],
  [
    'buckets that fall',
    histogram(
      'a_seconds_bucket{le="1"} 3',
      'a_seconds_bucket{le="+Inf"} 2',
      'a_seconds_sum 3',
      'a_seconds_count 2',
    ),
  ],
])('%s is found', (_, text) => {
  expect(expositionProblems(text)).not.toEqual([])
})
