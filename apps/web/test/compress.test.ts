import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { precompress } from '../compress.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muripo-precompress-'))
  await mkdir(join(folder, 'assets'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a compressible file has both compressed copies, with the same content', async () => {
  const script = 'export const answer = 42\n'.repeat(500)
  await writeFile(join(folder, 'assets/a.js'), script)
  await precompress(folder)
  expect(brotliDecompressSync(await readFile(join(folder, 'assets/a.js.br'))).toString()).toBe(script)
  expect(gunzipSync(await readFile(join(folder, 'assets/a.js.gz'))).toString()).toBe(script)
})

test('a small or already compressed file has no copy', async () => {
  await writeFile(join(folder, 'assets/small.css'), 'a{color:red}')
  await writeFile(join(folder, 'picture.png'), 'x'.repeat(5000))
  await precompress(folder)
  expect((await readdir(folder, { recursive: true })).sort()).toEqual([
    'assets',
    'assets/small.css',
    'picture.png',
  ])
})
