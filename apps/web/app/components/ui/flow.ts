type Above = 'above2' | 'above4' | 'above6' | 'above8' | 'above12' | 'above16' | 'above20' | 'above24'
export type Space = Above | 'below8' | 'below24' | 'grow' | 'fixed' | 'wholeLine' | 'list' | 'screenOnly'
type Gap = 'gap4' | 'gap6' | 'gap8' | 'gap12' | 'gap16' | 'gap20' | 'gap24'
type Rows = 'rows0' | 'rows4' | 'rows8' | 'rows12'
type Way = Gap | Rows | Space | 'wrap' | 'start' | 'centre' | 'between' | 'middle'

/** The classes of an element by the flow of its children. Each name is a class of `flow.css`. */
const flow =
  (kind: 'row' | 'stack' | 'grid') =>
  (...names: Way[]) =>
    [kind, ...names].join(' ')

/** Its children are beside each other. */
export const row = flow('row')

/** Its children are below each other. */
export const stack = flow('stack')

/** Its children are below each other, each as wide as the element. */
export const grid = flow('grid')

/** The place of an element among the others. */
export const place = (...names: Space[]) => names.join(' ')
