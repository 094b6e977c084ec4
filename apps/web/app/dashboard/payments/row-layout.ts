import { useEffect, useState } from 'react'

const layouts = [
  { media: '(min-width: 88em)', headHeight: 44, rowHeight: 53 },
  { media: '(min-width: 40em)', headHeight: 0, rowHeight: 73 },
  { media: 'all', headHeight: 0, rowHeight: 155 },
] as const
type RowLayout = (typeof layouts)[number]

const layoutNow = (): RowLayout => layouts.find(({ media }) => window.matchMedia(media).matches) ?? layouts[2]

/** How high rows are about to be until they are measured; the style sheet changes at the same widths. */
export function useRowLayout(): RowLayout {
  const [layout, setLayout] = useState(layoutNow)
  useEffect(() => {
    const update = () => setLayout(layoutNow())
    const queries = layouts.map(({ media }) => window.matchMedia(media))
    for (const query of queries) query.addEventListener('change', update)
    return () => {
      for (const query of queries) query.removeEventListener('change', update)
    }
  }, [])
  return layout
}
