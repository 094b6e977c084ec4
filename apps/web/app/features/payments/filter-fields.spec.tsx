import { useIsFetching } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { FilterFields } from './filter-fields.tsx'

afterEach(() => vi.useRealTimers())

const Fetching = () => <p>Fetching: {useIsFetching()}</p>

for (const { name, reply, shown } of [
  { name: 'a merchant without one', reply: { body: [] }, shown: ['All Applications', 'No applications'] },
  {
    name: 'a list that could not be read',
    reply: { status: 500, body: { code: 'internal_error' } },
    shown: ['All Applications'],
  },
])
  test(`the choice of applications of ${name}`, async () => {
    const requests = stubFetch({ 'GET /v1/applications/all': reply })
    const screen = await renderComponent(
      <>
        <FilterFields filters={{}} clears={0} onChange={() => {}} onClear={() => {}} />
        <Fetching />
      </>,
    )
    const lists = () => requests.filter(({ call }) => call === 'GET /v1/applications/all')
    await expect.poll(lists).toHaveLength(1)
    await expect.element(screen.getByText('Fetching: 0')).toBeVisible()
    const options = () =>
      screen
        .getByRole('combobox', { name: 'Application' })
        .getByRole('option')
        .elements()
        .map((option) => option.textContent)
    // The account is fetched before the list.
    await expect.poll(options).toEqual(shown)
  })

test('a typed filter is entered when its field is left, without the pause that follows typing', async () => {
  stubFetch({ 'GET /v1/applications/all': { body: [] } })
  const onChange = vi.fn()
  const screen = await renderComponent(
    <FilterFields filters={{}} clears={0} onChange={onChange} onClear={() => {}} />,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await screen.getByRole('textbox', { name: 'Min' }).fill('1000')
  expect(onChange.mock.calls).toEqual([])
  await userEvent.keyboard('{Tab}')
  await expect.poll(() => onChange.mock.calls).toEqual([['minAmount', '1000']])
  await vi.advanceTimersByTimeAsync(1000)
  expect(onChange).toHaveBeenCalledTimes(1)
})
