import { expect, test } from 'vitest'
import { inlineScriptHashes } from './csp-hashes.ts'

test('inline scripts are hashed once each, scripts with an address are not', () => {
  const page =
    '<script>a()</script><script src="/x.js"></script><script type="module">b()</script><script>a()</script>'
  const hashes = inlineScriptHashes(page)
  expect(hashes).toHaveLength(2)
  expect(hashes[0]).toMatch(/^'sha256-[A-Za-z0-9+/]{43}='$/)
})
