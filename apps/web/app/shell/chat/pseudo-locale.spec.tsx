import { expect, test } from 'vitest'
import { checkDisguised, openDisguised } from '../../../test/pseudo-dashboard.tsx'
import { Chat, REPLY_DELAY_MS } from './chat.tsx'

test('every text of the chat is translated and fits', async () => {
  const screen = await openDisguised(<Chat isReady />)
  await screen.getByRole('button').click()
  await screen.getByRole('textbox').fill('QUESTION')
  await screen.getByRole('button').last().click()
  const messages = () => document.querySelectorAll('[data-message-id]').length
  await expect.poll(messages, { timeout: REPLY_DELAY_MS + 5000 }).toBe(3)
  for (const time of document.querySelectorAll('time')) {
    expect(time.textContent).toMatch(/^\d\d:\d\d$/)
    time.remove()
  }
  await checkDisguised(['QUESTION', '·'])
})
