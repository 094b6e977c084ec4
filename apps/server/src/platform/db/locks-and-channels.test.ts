import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { advisoryLocks } from './locks-and-channels.ts'

const schema = readFileSync(new URL('../../../schema.sql', import.meta.url), 'utf8')
const inSchema = (pattern: RegExp) =>
  [...new Set([...schema.matchAll(pattern)].map(([, name]) => name))].sort()

test('functions of the schema take the listed advisory locks', () => {
  const { paymentAggregator, ledgerAggregator } = advisoryLocks
  expect(inSchema(/advisory\w*lock\((\w+)/g)).toEqual([paymentAggregator, ledgerAggregator])
})

test('no function of the schema notifies a channel', () => {
  expect(inSchema(/pg_notify\((\S+)/g)).toEqual([])
})

test('no two advisory locks have one key', () => {
  const keys = Object.values(advisoryLocks)
  expect(new Set(keys).size).toBe(keys.length)
})
