import { useQuery } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { renderComponent } from '../../../test/render-component.tsx'
import { LATE_MS, LateNote } from './banners.tsx'

afterEach(() => vi.useRealTimers())

test('A note is shown while a page waits long for its first data, and not during a later fetch', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const answers: ((data: string) => void)[] = []
  const Figures = () => {
    const { data, refetch } = useQuery({
      queryKey: ['figures'],
      queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    })
    return (
      <button type="button" onClick={() => void refetch()}>
        {data ?? 'none'}
      </button>
    )
  }
  const screen = await renderComponent(
    <>
      <Figures />
      <LateNote />
    </>,
  )
  const note = screen.getByText('Still loading. The network may be slow. Nothing is lost.')
  await vi.advanceTimersByTimeAsync(LATE_MS - 1)
  expect(note.elements()).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await expect.element(note).toBeVisible()
  answers[0]?.('1,250')
  await vi.advanceTimersByTimeAsync(1)
  await expect.element(screen.getByText('1,250')).toBeVisible()
  await expect.element(note).not.toBeInTheDocument()

  await screen.getByRole('button').click()
  expect(answers).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(2 * LATE_MS)
  expect(note.elements()).toEqual([])
})
