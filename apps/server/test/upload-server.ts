import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect } from 'vitest'
import { identityServer } from './identity-server.ts'

/** Uploads to a listening server, whose database and directory are emptied before each test. */
export async function uploadServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'muripo-upload-'))
  // Hooks run in reverse order: the directory is removed after the server is closed.
  afterAll(() => rm(dataDir, { recursive: true }))
  const { ctx, app } = await identityServer({ MURIPO_DATA: dataDir })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/files/upload`

  const folders = ['files', 'incoming']
  const filesIn = (folder: string) => readdir(join(dataDir, folder)).catch(() => [])
  const storedFiles = async () => (await Promise.all(folders.map(filesIn))).flat()
  const rows = () => ctx.db.kysely.selectFrom('documents').selectAll().execute()

  async function expectNothingStored(): Promise<void> {
    await expect.poll(storedFiles).toEqual([])
    expect(await rows()).toEqual([])
  }
  beforeEach(async () => {
    for (const folder of folders) {
      for (const name of await filesIn(folder)) await rm(join(dataDir, folder, name))
    }
    await ctx.db.kysely.deleteFrom('documents').execute()
  })

  async function upload(
    body: FormData | ReadableStream | string | null,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-api-key': ctx.keys.uploadKey, ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit)
    return {
      status: response.status,
      body: (await response.json()) as { url: string; code: string; message: string },
    }
  }

  return { ctx, app, url, dataDir, filesIn, storedFiles, rows, expectNothingStored, upload }
}

export function form(...parts: [name: string, content: Buffer | string, filename?: string, type?: string][]) {
  const data = new FormData()
  for (const [name, content, filename, type] of parts) {
    if (filename === undefined) data.append(name, content.toString())
    else data.append(name, new Blob([new Uint8Array(Buffer.from(content))], { type: type ?? '' }), filename)
  }
  return data
}

export const statusOf = (outgoing: ClientRequest): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', (response) => resolve(response.statusCode))
    outgoing.on('close', () => reject(new Error('closed without an answer')))
  })
