import { expect, test } from 'vitest'
import { sources, typescript } from '../lib/sources.ts'
import { namesInSql, namesOf, wordsOf } from './identifiers.ts'

/**
 * Words that names of code, files and SQL objects do not contain, with the term to use. A term of several words is one
 * part of a name: `give_back` matches `giveBack` and `give_back_at`.
 */
const terms: Readonly<Record<string, string>> = {
  tries: 'attempts, delivery attempts',
  claim_try: 'attempt',
  settle_try: 'attempt',
  spend_try: 'attempt',
  give_try: 'attempt',
  next_try: 'attempt',
  refused_try: 'attempt',
  give_back: 'refund, restore, release',
  given_back: 'refunded, restored, released',
  exceeds_rest: 'exceeds_remaining',
  refund_outdated: 'refund_conflict',
  webhooks_full: 'webhook_limit_reached',
  settle_mode: 'record the mode',
  settle_refund: 'resolve a refund',
  settle_booked: 'resolve',
  settle_statement: 'record, complete',
  judge: 'interpret, classify, review, resolve',
  judged: 'interpreted, classified, reviewed, resolved',
  fold: 'aggregate',
  folds: 'aggregates',
  folded: 'aggregated',
  unfolded: 'deltas',
  payment_changes: 'payment_stat_deltas',
  books: 'environments, ledger',
  test_book: 'test environment',
  open_book: 'environment',
  letter_page: 'email template',
  draw_up: 'render',
  drawn_on_demand: 'rendered',
  teller: 'broadcaster',
  news: 'updates',
  lane: 'endpoint queue, scenario',
  lanes: 'endpoint queues, scenarios',
  hungry: 'wants more',
  pump: 'dispatch',
  take_together: 'group commit',
  gathered: 'batched',
  wanted: 'row key',
  rows_for: 'align rows',
  flights: 'singleflight',
  inflight: 'background tasks',
  gate: 'semaphore',
  pace: 'rate limit',
  patience: 'lockout policy, time-out',
  party: 'rate-limit subject',
  stranger: 'unrecognised device, other merchant',
  strangers: 'unrecognised devices',
  give_up_the_silent: 'connection watchdog',
  hang_up: 'destroy, disconnect',
  depot: 'blob store',
  arrived: 'received',
  seal: 'encrypt',
  sealed: 'encrypted',
  sealer: 'cipher',
  deed: 'audit entry',
  deeds: 'audit entries',
  desk: 'operator',
  tell: 'emit, notify, publish',
  and_tell: 'update and emit',
  closing: 'cancellation, expiry; termination reason',
  take_over: 'claim',
  kept_answer: 'idempotency record',
  keep_answer: 'save the response',
  on_pages: 'expired',
  know_customer: 'upsert customer',
  know_customers: 'upsert customers',
  in_force: 'active',
  receivers: 'endpoints',
  searched: 'id search',
  beginnings: 'prefixes',
  grams: 'trigrams',
  looked_through: 'scan limit',
  remembered: 'cached',
  unhurried: 'with a long time-out',
  by_keys: 'index plans only',
  may_forget: 'asynchronous commit',
  forget: 'delete, prune, expire',
  forgets: 'deletes, prunes, expires',
  forgotten: 'deleted, pruned, expired',
  street: 'world',
  neighbour: 'other merchant',
  voice: 'scripted provider',
  mortal: 'with crash',
  storm: 'burst',
  bones: 'skeleton',
  kit: 'component library',
  unseen: 'visually hidden',
  heard_at: 'last message',
  fault: 'error, problem, discrepancy',
  faults: 'errors, problems, discrepancies',
  way_out: 'path after sign-out',
  ask: 'fetch, request, open a dialog',
  asks: 'fetches, requests',
  asked: 'requested, expected, submitted',
  asker: 'requester',
  asking: 'pending, confirming',
  told: 'reported, notified, published',
  said: 'reported, message, output',
  say: 'log, write, publish',
  says: 'states',
  heard: 'received',
  unheard: 'unanswered',
  glance: 'check the layout',
  look_at: 'check, inspect',
  kept_ms: 'retention',
  most_kept: 'maximum of entries',
}

/** Words that comments do not contain either, because they have no other meaning. */
const inComments =
  /\b(whoever|nought|unhurried|unfolded|tellers?|deeds?|by itself|gives? back|given back|comes? to nothing)\b/i

/** Words that titles of tests do not contain: they describe programs as people, or are not exact. */
const inTitles =
  /\b(whoever|nought|told|tells?|said|says?|asked|asks|heard|hears|by itself|gives? back|given back|gives? up|given up)\b/i

/** A sentence begins with a noun and not with a clause in its place. */
const withoutSubject = /(^|\. )(What|Whoever|Who|That which|Those who|One that|Whatever) /

/** Names with a term of the list that mean something else, and an option of a library in one file. */
const otherMeaning = new Set([
  'apps/server/src/platform/outbound/targets.ts tries',
  'apps/server/src/platform/db/listen.test.ts faults',
  'apps/server/src/platform/db/session-check.test.ts faults',
  'startFaultProxy',
  'PoolerFaults',
])

/** These files inject faults into connections, providers and clusters, which is the term for that. */
const injecting = /^(packages\/testing\/|apps\/server\/test\/(faults\/|pooler\.ts)|drills\/(failover|soak)\/)/

const code = sources(...typescript)
  .filter(({ file }) => file !== 'scripts/checks/language.test.ts')
  .map(namesOf)
const sql = sources('apps/server/schema.sql').map(namesInSql)
const everything = [...code, ...sql]

/** Where each term occurs, as `file name`. */
function occurrences(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { file, identifiers } of everything)
    for (const identifier of identifiers) {
      if (otherMeaning.has(identifier) || otherMeaning.has(`${file} ${identifier}`)) continue
      const name = `_${wordsOf(identifier).join('_')}_`
      for (const term of Object.keys(terms))
        if (name.includes(`_${term}_`) && !(/^faults?$/.test(term) && injecting.test(file)))
          found.set(term, [...(found.get(term) ?? []), `${file} ${identifier}`])
    }
  return found
}

const found = occurrences()

test('the names of files, code and SQL objects use the terms of the field', () => {
  const wrong = [...found].flatMap(([term, places]) => places.map((place) => `${place}: ${terms[term]}`))
  expect(wrong).toEqual([])
})

test('the name of a trigger contains a verb, or the refused action', () => {
  const names = sources('apps/server/schema.sql').flatMap(({ text }) =>
    [...text.matchAll(/^CREATE TRIGGER (\w+)/gm)].map(([, name = '']) => name),
  )
  expect(names.length).toBeGreaterThan(50)
  expect(
    names.filter(
      (name) =>
        /_(kept|stays|once|facts|moves|state|failing|opening|posting|live)$/.test(name) &&
        !/_(keep|guard)_/.test(name),
    ),
  ).toEqual([])
})

test('comments begin with a subject and use the terms of the field', () => {
  const wrong = everything.flatMap(({ file, comments }) =>
    comments
      .filter((comment) => inComments.test(comment) || withoutSubject.test(comment))
      .map((comment) => ({ file, comment: comment.slice(0, 100) })),
  )
  expect(wrong).toEqual([])
})

test('titles of tests use the terms of the field', () => {
  const wrong = code.flatMap(({ file, titles }) =>
    [...titles].filter((title) => inTitles.test(title)).map((title) => `${file}: ${title}`),
  )
  expect(code.reduce((sum, { titles }) => sum + titles.size, 0)).toBeGreaterThan(2000)
  expect(wrong).toEqual([])
})

test.each([
  ['giveBackAll', 'give_back'],
  ['createTeller', 'teller'],
  ['HTTPPace', 'pace'],
])('%s contains %s', (name, term) => {
  expect(`_${wordsOf(name).join('_')}_`).toContain(`_${term}_`)
})

test('documents use the terms of the field too', () => {
  const documents = sources('*.md', 'docs/**/*.md', 'packages/*/README.md')
  const wrong = documents.flatMap(({ file, text }) =>
    text
      .replace(/^```[\s\S]*?^```/gm, '')
      .split('\n')
      .map((line) => line.replace(/`[^`]*`/g, ''))
      .filter((line) => inComments.test(line) || withoutSubject.test(line.replace(/^[-*|# ]+/, '')))
      .map((line) => `${file}: ${line}`),
  )
  expect(documents.length).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})
