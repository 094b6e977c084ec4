import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createMailbox } from './mailbox.ts'

test('stores the newest mails completely, under concurrent writes and reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muripo-mailbox-'))
  try {
    const mailbox = createMailbox(folder, systemClock)
    const mail = (n: number) => ({ to: 'a@b.co', subject: `mail ${n}`, text: 'x'.repeat(4000), html: '' })
    let over = false
    const reading = (async () => {
      while (!over) await mailbox.list()
    })()
    await Promise.all(Array.from({ length: 1100 }, (_, n) => mailbox.deliver(mail(n), `${n}`)))
    over = true
    await reading
    const stored = (await mailbox.list()).map(({ subject }) => subject)
    expect(stored).toEqual(Array.from({ length: stored.length }, (_, n) => `mail ${1099 - n}`))
    expect(stored.length).toBeGreaterThanOrEqual(500)
    expect(stored.length).toBeLessThanOrEqual(1000)
  } finally {
    await rm(folder, { recursive: true })
  }
})
