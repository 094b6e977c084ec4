import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, import.meta.url))

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = '{"id":"evt_1","type":"payment.completed","data":{"reference":"Röyksopp"}}'
const now = Math.floor(Date.now() / 1000)

const sign = (by = secret, at = now) =>
  `v1,${createHmac('sha256', Buffer.from(by.slice(6), 'base64'))
    .update(`evt_1.${at}.${body}`)
    .digest('base64')}`

const headers = (signature: string, at = now) => ({
  'Webhook-Id': 'evt_1',
  'Webhook-Timestamp': String(at),
  'Webhook-Signature': signature,
})

const vectors = [
  { what: 'a signed event', body, headers: headers(sign()), isValid: true },
  {
    what: 'two signatures during a rotation',
    body,
    headers: headers(`${sign(other)} ${sign()}`),
    isValid: true,
  },
  { what: 'another secret', body, headers: headers(sign(other)), isValid: false },
  { what: 'a changed body', body: body.replace('evt_1', 'evt_2'), headers: headers(sign()), isValid: false },
  { what: 'an old event', body, headers: headers(sign(secret, now - 400), now - 400), isValid: false },
  { what: 'no signature', body, headers: {}, isValid: false },
]
const input = JSON.stringify({ secret, vectors })

/** The sample of PHP without its last part, which answers a request of a web server. */
const php = `${readFileSync(sample('verify.php'), 'utf8').split('\n$event = ')[0]}
$input = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn ($v) => muripo_event($v['body'], $v['headers'], $input['secret']) !== null, $input['vectors']));`

const python = `${readFileSync(sample('verify.py'), 'utf8')}
import sys
given = json.load(sys.stdin)
print(json.dumps([muripo_event(v["body"].encode(), v["headers"], given["secret"]) is not None for v in given["vectors"]]))`

const languages = [
  { name: 'PHP', command: 'php', args: ['-r', php.replace('<?php', '')] },
  { name: 'Python', command: 'python3', args: ['-c', python] },
]

const isInstalled = (command: string): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.each(languages)('the sample of $name', ({ command, args }) => {
  test('accepts and refuses the same requests as the SDK', (context) => {
    if (!isInstalled(command)) context.skip(`${command} is not installed`)
    const verdicts = JSON.parse(execFileSync(command, args, { input, encoding: 'utf8' }))
    expect(vectors.map(({ what }, index) => [what, verdicts[index]])).toEqual(
      vectors.map(({ what, isValid }) => [what, isValid]),
    )
  })
})
