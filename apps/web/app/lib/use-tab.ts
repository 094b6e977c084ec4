import { useSearchParams } from 'react-router'

/** The open tab, whose name is in the address: a reload and the back button return to it. The first tab is the default. */
export function useTab<Tab extends string>(parameter: string, tabs: readonly [Tab, ...Tab[]]) {
  const [search, setSearch] = useSearchParams()
  const [first] = tabs
  const tab = tabs.find((each) => each === search.get(parameter)) ?? first
  const openTab = (next: string | null) =>
    setSearch(next === null || next === first ? {} : { [parameter]: next }, { preventScrollReset: true })
  return [tab, openTab] as const
}
